/* Locks that are asked for: see the header. */
#include "repeat/what/asked_lock.h"

#include "model/reading/trace_functions.h"

#include <fcntl.h>
#include <string.h>

int64_t fth_repeat_asked_lock(const struct fth_trace *trace, const struct fth_call *call,
                              int64_t type)
{
    const char *command = fth_command_of(trace, call);
    bool asks = command && (strcmp(command, "F_GETLK") == 0 || strcmp(command, "F_OFD_GETLK") == 0);
    return asks && type == F_UNLCK ? F_WRLCK : type;
}
