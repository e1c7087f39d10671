/* Which processes of a run a repetition has: in MPI its ranks and what they started; else all but
 * launchers. */
#ifndef FTH_REPEAT_PLAYED_H
#define FTH_REPEAT_PLAYED_H

#include "fathom/trace.h"

/* Ranks of the run; 0: it is without MPI. */
uint32_t fth_repeat_ranks(const struct fth_trace *trace);
/* Has the repetition this process? */
bool fth_repeat_plays(const struct fth_trace *trace, size_t proc);
/* Does it begin with it, and not when its parent forks it, or becomes it by exec? */
bool fth_repeat_is_root(const struct fth_trace *trace, size_t proc);
/* The image that this one becomes by exec; -1: none. */
int64_t fth_repeat_becomes(const struct fth_trace *trace, size_t proc);
/* Was it this process before, with another program? */
bool fth_repeat_is_image_of(const struct fth_trace *trace, size_t proc, size_t before);

#endif
