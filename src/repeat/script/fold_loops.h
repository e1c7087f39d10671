/* Folds operations of a script that come again into loops while they are written: what comes three
 * times, each number of it a constant step further, becomes a loop, which goes on for as long as
 * that holds. Loops that come again become one in turn. What follows no such rule stays as it is.
 * Memory is bounded, whatever comes. Inner header of the repeat room. */
#ifndef FTH_REPEAT_FOLD_LOOPS_H
#define FTH_REPEAT_FOLD_LOOPS_H

#include "base/bytes.h"
#include "player/player_script.h"

struct fth_fold;

/* `loop` is the operation that a loop begins with. What is complete goes to *to, which outlives
 * it. */
struct fth_fold *fth_fold_open(const struct fth_script_op *loop, struct fth_bytes *to);
/* An operation: `count` words, as struct fth_script_op has them. */
void fth_fold_put(struct fth_fold *fold, const int64_t *words, size_t count);
/* What is still kept goes out. */
void fth_fold_end(struct fth_fold *fold);
void fth_fold_close(struct fth_fold *fold);

#endif
