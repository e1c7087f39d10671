/* Results of ranks that a launcher started, brought to rank 0. */
#ifndef FTH_MEASURE_RANK_RESULTS_H
#define FTH_MEASURE_RANK_RESULTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* `count` items of `item_size` bytes, item i made by rank part_of(i, ranks): rank 0 has all of them
 * afterwards. Each rank calls it once, and is in MPI only meanwhile. `library`: of MPI; NULL: one
 * that fits the launcher. -1: *error is set. */
int fth_gather_items(int rank, int ranks, const char *library,
                     uint32_t (*part_of)(uint64_t item, uint32_t ranks), void *items,
                     size_t item_size, uint64_t count, struct fth_error **error);

#endif
