/* Where writes to the end of a file came to. Inner header of the verify room.
 *
 * Such a write depends on all that made the file as long as it was then, so it stands twice among
 * the situations: once with its bytes (region APPENDED), for those that come after it or read, and
 * once as what finds the end (region END), for those that write before it, or in no order with it
 * (fth_append_positions_is_pair).
 *
 * Its bytes are certain where the file was cut off before, and all that wrote to it since, or may
 * have, was in one order: then the length of the file is a sum. Elsewhere they are all bytes from
 * the least length on that the file can have had: what was written before, and could not be cut off
 * in between. */
#ifndef FTH_VERIFY_GATHER_APPEND_POSITIONS_H
#define FTH_VERIFY_GATHER_APPEND_POSITIONS_H

#include "verify/gather/first_lengths.h"
#include "verify/gather/run_accesses.h"
#include "verify/gather/runs.h"

/* Of accesses whose files are known (fth_files_identify); the order is settled, that between
 * runs, too. `together`: the layer in which such writes come to where the end was when the file was
 * opened; of those nothing is certain. */
void fth_append_positions_find(struct fth_run_accesses *accesses,
                               const struct fth_first_length *first, uint32_t file_count,
                               const struct fth_runs *runs, int together);

/* Do two situations that have bytes in common make a pair, with this order between them? Of an
 * append it is one of the two that does; two calls that cut a file off take nothing from each
 * other, but one of them comes last. */
bool fth_append_positions_is_pair(const struct fth_situation *a, const struct fth_situation *b,
                                  enum fth_precedence precedence);

#endif
