/* What fcntl is given depends on its command. */
#include "capture/wrap/wrap_libc.h"

#include <fcntl.h>

static bool takes_integer(int command)
{
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
    case F_SETFD:
    case F_SETFL:
    case F_SETOWN:
    case F_SETSIG:
    case F_SETLEASE:
    case F_NOTIFY:
    case F_SETPIPE_SZ:
    case F_ADD_SEALS:
        return true;
    default:
        return false;
    }
}

static bool takes_lock(int command)
{
    switch (command) {
    case F_GETLK:
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_GETLK:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
        return true;
    default:
        return false;
    }
}

int64_t fth_argument_of_fcntl(struct fth_draft *draft, int command, const void *argument)
{
    int64_t list[4];
    if (takes_integer(command)) {
        list[0] = (int)(intptr_t)argument;
        return fth_list(draft, list, 1, sizeof *list);
    }
    const struct flock *lock = argument;
    if (!takes_lock(command) || !lock || (!draft->worked && !fth_is_readable(lock, sizeof *lock)))
        return 0;
    list[0] = lock->l_type;
    list[1] = lock->l_whence;
    list[2] = lock->l_start;
    list[3] = lock->l_len;
    return fth_list(draft, list, 4, sizeof *list);
}
