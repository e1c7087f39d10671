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
/* The next call, made by the thread at this place (from 0); its handles are filled in. */
void fth_handle_tree_add(struct fth_handle_tree *tree, size_t thread, struct fth_call *call);
/* No more calls come. */
void fth_handle_tree_end(struct fth_handle_tree *tree);
/* fth_calls_ended_handle. */
const struct fth_handle *fth_handle_tree_ended(struct fth_handle_tree *tree);

#endif
