/* What ranks that a launcher started say to one another: rank 0 tells all, and all bring it their
 * results. A rank is in MPI from `begin` to `end`, once in its life. No function may be called by
 * several threads at once. */
#ifndef FTH_MEASURE_RANK_RESULTS_H
#define FTH_MEASURE_RANK_RESULTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct fth_ranks;

/* `library`: of MPI; NULL: one that fits the launcher. NULL: *error is set. */
struct fth_ranks *fth_ranks_begin(int rank, int count, const char *library,
                                  struct fth_error **error);
/* `size` bytes of rank 0, the same for all afterwards. */
void fth_ranks_tell(struct fth_ranks *ranks, void *bytes, size_t size);
/* `count` items of `item_size` bytes, item i made by rank part_of(i, ranks): rank 0 has all of them
 * afterwards. */
void fth_ranks_gather(struct fth_ranks *ranks, uint32_t (*part_of)(uint64_t item, uint32_t ranks),
                      void *items, size_t item_size, uint64_t count);
/* Returns when all have come here. */
void fth_ranks_end(struct fth_ranks *ranks);

/* All of it, for ranks that have nothing else to say. -1: *error is set. */
int fth_gather_items(int rank, int count, const char *library,
                     uint32_t (*part_of)(uint64_t item, uint32_t ranks), void *items,
                     size_t item_size, uint64_t item_count, struct fth_error **error);

#endif
