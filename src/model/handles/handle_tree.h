/* The handles of a process, followed through its calls in order of entry. Inner header of the model
 * room. */
#ifndef FTH_MODEL_HANDLES_HANDLE_TREE_H
#define FTH_MODEL_HANDLES_HANDLE_TREE_H

#include "fathom/trace.h"

struct fth_handle_tree;

/* `threads`: how many the process has. */
struct fth_handle_tree *fth_handle_tree_open(const struct fth_trace *trace, size_t proc,
                                             size_t threads);
void fth_handle_tree_close(struct fth_handle_tree *tree); /* NULL is allowed */
/* Handles of this class are left out: before the first call. */
void fth_handle_tree_leave_out(struct fth_handle_tree *tree, int handle_class);
/* The next call, made by the thread at this place (from 0); its handles are filled in. */
void fth_handle_tree_add(struct fth_handle_tree *tree, size_t thread, struct fth_call *call);
/* How many handles were made so far, how many of them have ended, and the least number of those
 * that ended since it was asked last; UINT64_MAX: none did. */
void fth_handle_tree_count(struct fth_handle_tree *tree, uint64_t *made, uint64_t *ended,
                           uint64_t *first_ended);
/* So many more were made, and have ended, by calls that are not given. */
void fth_handle_tree_skip(struct fth_handle_tree *tree, uint64_t count);
/* No more calls come. */
void fth_handle_tree_end(struct fth_handle_tree *tree);
/* fth_calls_ended_handle. */
const struct fth_handle *fth_handle_tree_ended(struct fth_handle_tree *tree);

#endif
