/* From the spill files of a run to one trace. Reading what a killed process left behind is the same as reading what a finished one did. */
#ifndef FTH_TRACE_MERGE_H
#define FTH_TRACE_MERGE_H

#include "base/error.h"
#include "trace/lines.h"
#include "trace/mounts.h"
#include "trace/time_mode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What `fathom record` knows about the run. */
struct fth_run {
    int64_t start_realtime, end_realtime; /* ns since 1970 */
    /* a JSON object: command, host, user, options, filters ... kept as it is */
    const char *meta_json;
    struct fth_time_mode times; /* how they are kept, of what is not merged yet */
    const char *parts; /* prefix of the parts that MPI_Finalize has merged already, or NULL */
    fth_line_finder *find_line; /* in the program's source, or NULL; gets line_context */
    void *line_context;
    const struct fth_mounts *mounts; /* of nodes */
    size_t mounts_count;
    size_t blind_spot_count;
    const char *const *blind_spots; /* sentences, beside those that the merger finds itself */
};

/* What came of it. */
struct fth_merge_report {
    uint64_t calls, lost, excluded, bytes; /* bytes: of the trace */
    size_t processes, still_running;       /* without an end, and their process is alive */
    size_t stopped;         /* processes whose recording stopped early: a full disk ... */
    uint64_t missing_ranks; /* of MPI worlds: on other nodes, from where nothing came */
    size_t damaged_samples; /* nodes whose samples could not be read */
    char stopped_why[256];
    char **unseen; /* what could not be seen, beside what the caller knew: sentences */
    size_t unseen_count;
};
void fth_merge_report_free(struct fth_merge_report *report);

/* Merges the spill directory into the trace `output` (created with mode 0600, replaced if it exists; written beside it first and renamed, so a
 * failure leaves no half trace). A spill file that is damaged is left out and said in the trace's blind spots. The spill files
 * stay; the caller removes them. `progress` may be NULL; it is called now and then with done and all in bytes. */
int fth_merge(const char *spill, const char *output, const struct fth_run *run,
              struct fth_merge_report *report,
              void (*progress)(void *context, uint64_t done, uint64_t all), void *context,
              struct fth_error **error);

#endif
