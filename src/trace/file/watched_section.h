/* What was only watched, process by process (`fathom record --select`), as section WTCH has it:
 * phases, and how often functions were called that were counted only. */
#ifndef FTH_TRACE_FILE_WATCHED_SECTION_H
#define FTH_TRACE_FILE_WATCHED_SECTION_H

#include "base/bytes.h"
#include "base/error.h"
#include "trace/record/watched_file.h"

/* A phase of a process. */
struct fth_watched_span {
    uint64_t number;
    int64_t begin, end;      /* ns since 1970 */
    bool is_open;            /* its end is that of the process: its times are not known */
    uint64_t time, recorded; /* ns in the layer, and of it in calls that were recorded */
    uint64_t calls;          /* that `time` is of */
    enum fth_watched_how how;
};
struct fth_counted_only {
    uint64_t function; /* of the catalogue */
    uint64_t calls;
};
struct fth_watched_process {
    uint64_t image;
    struct fth_watched_span *spans; /* in order */
    size_t span_count;
    struct fth_counted_only *counted;
    size_t counted_count;
    uint64_t others; /* calls of functions for which there was no room */
};
/* Zero is an empty list. */
struct fth_watched_list {
    struct fth_watched_process *items;
    size_t count;
};

/* Takes over what is in `process`; leaves out one that has nothing. */
void fth_watched_list_add(struct fth_watched_list *list, struct fth_watched_process *process);
/* Of a list that was read. */
const struct fth_watched_process *fth_watched_of(const struct fth_watched_list *list,
                                                 uint64_t image);
void fth_watched_write(const struct fth_watched_list *list, struct fth_bytes *to);
/* `functions`: of the catalogue. */
int fth_watched_read(struct fth_watched_list *list, size_t functions, const void *bytes,
                     size_t length, struct fth_error **error);
void fth_watched_list_free(struct fth_watched_list *list);

#endif
