/* From the spill files of a run to one trace. Reading what a killed process left behind is the same
 * as reading what a finished one did. */
#ifndef FTH_TRACE_MERGE_MERGE_H
#define FTH_TRACE_MERGE_MERGE_H

#include "base/error.h"
#include "trace/file/blind_spots.h"
#include "trace/file/line_section.h"
#include "trace/file/mount_section.h"
#include "trace/file/part.h"
#include "trace/record/time_mode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_ahead;
/* What `fathom record` knows about the run. */
struct fth_merge_run {
    int64_t start_realtime, end_realtime; /* ns since 1970 */
    /* a JSON object: command, host, user, options, filters ... kept as it is */
    const char *meta_json;
    struct fth_time_mode times; /* how they are kept, of what is not merged yet */
    const char *parts; /* prefix of the parts that MPI_Finalize has merged already, or NULL */
    fth_line_finder *find_line; /* in the program's source, or NULL; gets line_context */
    void *line_context;
    /* Can the trace in `path` be read? Asked before it gets its name; may be NULL. */
    int (*check)(const char *path, struct fth_error **error);
    const struct fth_mounts *mounts; /* of nodes */
    size_t mounts_count;
    /* beside those that the merger finds itself; or NULL */
    const struct fth_blind_spots *blind_spots;
    bool is_over;            /* on this node no process of it is left: none is looked for */
    struct fth_ahead *ahead; /* what was done while the processes ran; or NULL. It is used up. */
};

/* What came of it. */
struct fth_merge_report {
    uint64_t calls, lost, excluded, bytes; /* bytes: of the trace */
    uint64_t ahead;                        /* of the calls: merged while the processes ran */
    /* Of the lost calls without the unkept ones: how many of them were left without an end, made
     * too deep inside others, or were of devices and not reported in time; how many processes made
     * them, and who the most. */
    struct fth_lost {
        uint64_t left, deep, of_devices, processes, most;
        int64_t pid; /* of who lost most */
        char program[256];
    } losses;
    /* calls for which there was no room, or no right to write: among the lost, and those of
     * processes of which nothing was kept */
    struct fth_unkept unkept, unrecorded;
    /* calls of so many processes that are in sums only, as the budget was used up */
    struct fth_summed summed;
    size_t summed_processes;
    size_t processes, images;      /* exec makes another image of a process */
    size_t still_running;          /* without an end, and their process is alive */
    size_t stopped;                /* processes whose recording stopped early: a full disk ... */
    uint64_t missing_ranks;        /* of MPI worlds: on other nodes, from where nothing came */
    size_t damaged_samples;        /* nodes whose samples could not be read */
    struct fth_blind_spots unseen; /* all of them, as the trace has them */
};
void fth_merge_report_free(struct fth_merge_report *report);

/* Merges the spill directory into the trace `output` (created with mode 0600, replaced if it
 * exists; written beside it first and renamed, so a failure leaves no half trace). A spill file
 * that is damaged is left out and said in the trace's blind spots. The spill files stay; the caller
 * removes them. What merges into the same file have left that were killed is removed. `progress`
 * may be NULL; it is called now and then with done and all in bytes. */
int fth_merge(const char *spill, const char *output, const struct fth_merge_run *run,
              struct fth_merge_report *report,
              void (*progress)(void *context, uint64_t done, uint64_t all), void *context,
              struct fth_error **error);

#endif
