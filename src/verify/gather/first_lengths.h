/* How long files were before the run changed them. Inner header of the verify room. */
#ifndef FTH_VERIFY_GATHER_FIRST_LENGTHS_H
#define FTH_VERIFY_GATHER_FIRST_LENGTHS_H

#include "verify/gather/run_accesses.h"

struct fth_first_length {
    uint64_t length;
    bool is_known;
    const char *why_unsure;           /* it is not, but may have been that; or NULL */
    const struct fth_opening *opened; /* where it was seen, as far as that is looked for */
};

/* By file, to be freed; after fth_new_files_find. */
struct fth_first_length *fth_first_lengths_new(const struct fth_run_accesses *accesses,
                                               uint32_t file_count);

/* Drops what reads ask for where the file is not long enough, whatever the order. Before
 * fth_append_positions_find. */
void fth_first_lengths_drop_reads(struct fth_run_accesses *accesses,
                                  const struct fth_first_length *first, uint32_t file_count);

#endif
