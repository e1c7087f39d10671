/* Locks that are asked for: see the header. */
#include "repeat/what/asked_lock.h"

#include "model/reading/trace_functions.h"

#include <fcntl.h>

int64_t fth_repeat_asked_lock(const struct fth_trace *trace, const struct fth_call *call,
                              int64_t type)
{
    bool asks = fth_command_asks_lock(fth_command_of(trace, call));
    return asks && type == F_UNLCK ? F_WRLCK : type;
}
