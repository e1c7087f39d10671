/* Symbolic links on the way to names that the run has changed, as recorders found them. */
#ifndef FTH_MODEL_READING_TRACE_LINKS_H
#define FTH_MODEL_READING_TRACE_LINKS_H

#include "fathom/trace.h"

struct fth_trace_link {
    const char *host, *from, *to; /* `from` is in a folder that has no link on its way */
    bool changed;                 /* on its node it was found to lead elsewhere, too */
    bool everywhere;              /* no other node has another one there */
};
/* *count: how many. */
const struct fth_trace_link *fth_trace_links(const struct fth_trace *trace, size_t *count);

struct fth_path_room {
    char text[2][4096];
};
/* What a path of this process is behind the links on its way, and, of a folder, behind itself. In
 * `room`, unless it is the path itself. Links that changed are not followed, nor those that are
 * `left_out`, by number, or NULL. */
const char *fth_trace_behind_links(const struct fth_trace *trace, size_t proc, const char *path,
                                   bool is_folder, const bool *left_out,
                                   struct fth_path_room *room);

#endif
