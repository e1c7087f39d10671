/* Where the files of a process stand, and which bytes a call accesses there. Inner header of the
 * model room. */
#ifndef FTH_MODEL_RANGES_FILE_POSITIONS_H
#define FTH_MODEL_RANGES_FILE_POSITIONS_H

#include "model/ranges/following.h"

/* A position so far behind another one; sums that cannot be are nowhere. */
static inline int64_t fth_file_position_behind(int64_t position, int64_t distance)
{
    int64_t sum;
    bool fits = position >= 0 && !__builtin_add_overflow(position, distance, &sum) && sum >= 0;
    return fits ? sum : FTH_NOWHERE;
}

/* The bytes that the call of accesses->access reads or writes, and how far it moves the file.
 * `opened`: the file that it is about, or NULL. */
void fth_file_position_access(struct fth_accesses *accesses,
                              const struct fth_range_semantics *semantics,
                              struct fth_opened *opened);
/* Where the file stands after a seek. */
void fth_file_position_seek(struct fth_accesses *accesses,
                            const struct fth_range_semantics *semantics, struct fth_opened *opened);

#endif
