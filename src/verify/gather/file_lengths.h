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
};

struct fth_file_lengths;
/* Of one file. Takes the changes into an order of its own. */
struct fth_file_lengths *fth_file_lengths_new(const struct fth_run_accesses *accesses,
                                              const struct fth_runs *runs,
                                              const struct fth_length_change *changes,
                                              size_t count);
/* How long the file was at least when the change came, as far as others made it so; returns whether
 * one of those that came before it cut the file off. */
bool fth_file_lengths_before(const struct fth_file_lengths *lengths, uint32_t change,
                             uint64_t *length);
void fth_file_lengths_free(struct fth_file_lengths *lengths);

/* Was a over before b began? */
bool fth_situation_is_before(const struct fth_runs *runs, const struct fth_situation *a,
                             const struct fth_situation *b);

#endif
