/* How long a file was for certain when something made it longer, or cut it off. Inner header of the
 * verify room. */
#ifndef FTH_VERIFY_GATHER_FILE_LENGTHS_H
#define FTH_VERIFY_GATHER_FILE_LENGTHS_H

#include "verify/gather/run_accesses.h"
#include "verify/gather/runs.h"

/* A situation that changes how long the file is: behind it, it is at least so long; if it cuts the
 * file off, not longer. */
struct fth_length_change {
    uint32_t situation;
    uint64_t length;
    /* What is found: how long the file was at least when the change came, as far as others made it
     * so; and did one of those that came before it cut the file off? */
    uint64_t before;
    bool was_cut;
};

/* Of one file, which was `first` bytes long before any of them. */
void fth_file_lengths_find(const struct fth_run_accesses *accesses, const struct fth_runs *runs,
                           uint64_t first, struct fth_length_change *changes, size_t count);

/* Was a over before b began? */
bool fth_situation_is_before(const struct fth_runs *runs, const struct fth_situation *a,
                             const struct fth_situation *b);

#endif
