/* Positions behind pointers, which calls that copy between two descriptors (copy_file_range,
 * sendfile, splice) move on by what they move. A trace has them as the call leaves them. */
#ifndef FTH_MODEL_READING_MOVED_PLACES_H
#define FTH_MODEL_READING_MOVED_PLACES_H

#include "fathom/trace.h"

/* Where the call began, of the position that it left; any integer, as traces may be damaged. */
static inline int64_t fth_place_before(const struct fth_call *call, int64_t left)
{
    bool moved = call->bytes_known && !call->error_number;
    return moved ? (int64_t)((uint64_t)left - call->bytes) : left;
}

/* Is this argument such a position? */
static inline bool fth_is_moved_place(const struct fth_call *call, const struct fth_value *argument)
{
    return call->copies && argument->type == FTH_VALUE_INTEGERS && argument->count == 1;
}

#endif
