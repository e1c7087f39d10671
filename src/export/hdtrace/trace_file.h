/* The trace file of a thread: states in the order of their ends, what is nested in one before it.
 * Calls come in the order of entry, so a state is kept until it is over. */
#ifndef FTH_EXPORT_HDTRACE_TRACE_FILE_H
#define FTH_EXPORT_HDTRACE_TRACE_FILE_H

#include "base/error.h"
#include "base/keyed.h"
#include "base/sink.h"

#include <fathom/trace.h>

struct fth_hdtrace_file {
    char *path; /* NULL: it is not begun */
    struct fth_sink text;
    struct fth_hdtrace_frame {
        uint64_t number;
        int64_t end;
        uint32_t depth;
        bool has_nested;
        struct fth_sink state;
    } * frames;
    uint32_t frame_count, frame_limit;
    char *directory;        /* in which the last relative path was; NULL: there was none */
    struct fth_keyed known; /* handles by class and value: their numbers, plus 1 */
};

/* `path` becomes its own. */
void fth_hdtrace_file_begin(struct fth_hdtrace_file *file, char *path);
/* Room for the text of a state, in which those that are not over are nested. -1: *error is set. */
struct fth_sink *fth_hdtrace_file_enter(struct fth_hdtrace_file *file, const struct fth_call *call,
                                        struct fth_error **error);
/* Writes what is left, and frees it. */
void fth_hdtrace_file_end(struct fth_hdtrace_file *file, struct fth_error **error);

#endif
