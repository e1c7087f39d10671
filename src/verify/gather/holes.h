/* What makes a file longer changes bytes that it does not write: those between the end that the
 * file had and the first byte that is written are zeros from then on, and were not there before.
 * Inner header of the verify room. */
#ifndef FTH_VERIFY_GATHER_HOLES_H
#define FTH_VERIFY_GATHER_HOLES_H

#include "verify/gather/first_lengths.h"
#include "verify/gather/run_accesses.h"
#include "verify/gather/runs.h"

/* Adds situations of regions HOLE, BARE and ROOM. Of files of which it is known how long they were
 * at first: a call of the run made them, or cut them off. After fth_append_positions_find. */
void fth_holes_find(struct fth_run_accesses *accesses, const struct fth_first_length *first,
                    const struct fth_runs *runs);

/* Do two situations make a pair, of which one has such a region? */
bool fth_holes_are_pair(const struct fth_situation *a, const struct fth_situation *b,
                        enum fth_precedence precedence);

#endif
