/* The path that a call is about, of its own parameter or of its handle. */
#ifndef FTH_TRACE_STATE_CALL_PATH_H
#define FTH_TRACE_STATE_CALL_PATH_H

#include "trace/state/state.h"

/* The path that a call is about: `base` (may be empty) + "/" + `path`. False: it is about none. */
struct fth_path_parts {
    const char *base, *path;
    size_t base_length, path_length;
};
bool fth_call_path(const struct fth_thread_state *state, const struct fth_meaning *meaning,
                   const int64_t *values, const char *process_directory,
                   struct fth_path_parts *parts);
/* The second path that it was given (rename, link); false: it has none. */
bool fth_call_second_path(const struct fth_thread_state *state, const struct fth_meaning *meaning,
                          const int64_t *values, const char *process_directory,
                          struct fth_path_parts *parts);
/* Both, joined, with a terminating NUL: into `to` (emptied first), or at a place with room for two
 * bytes more than they have. */
void fth_path_join(const struct fth_path_parts *parts, struct fth_bytes *to);
void fth_path_join_at(const struct fth_path_parts *parts, char *to);

#endif
