/* Descriptors: closing, copying, flags, locks; those that other processes send. */
#include "prefix/publishing.h"
#include "prefix/prefix_calls.h"
#include "prefix/descriptors.h"
#include "prefix/giving.h"
#include "prefix/stand_ins.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- closing ---- */

static int (*real_close)(int), (*real_close_range)(unsigned, unsigned, int);

static int in_place_of_close(int descriptor)
{
    if (FTH_LIKELY(!fth_prefix_file(descriptor))) {
        if (FTH_LIKELY(!fth_prefix_is_own(descriptor)))
            return real_close(descriptor);
        errno = EBADF;
        return -1;
    }
    int failed = fth_prefix_closes(descriptor), error = errno;
    int result = real_close(descriptor);
    if (!failed)
        return result;
    errno = error;
    return -1;
}

/* In pieces, around those that are ours. */
static int close_others(unsigned first, unsigned last, int flags)
{
    for (unsigned at = first; at <= last && at < (unsigned)FTH_PREFIX_DESCRIPTORS; at++) {
        if (fth_prefix_is_own((int)at)) {
            if (at > first && real_close_range(first, at - 1, flags))
                return -1;
            first = at + 1;
        } else if (!(flags & (int)CLOSE_RANGE_CLOEXEC) && fth_prefix_closes((int)at)) {
            return -1;
        }
    }
    return first <= last ? real_close_range(first, last, flags) : 0;
}

static int in_place_of_close_range(unsigned first, unsigned last, int flags)
{
    const unsigned known = CLOSE_RANGE_CLOEXEC | CLOSE_RANGE_UNSHARE;
    if (!fth_prefix.is_on || first > last || (unsigned)flags & ~known)
        return real_close_range(first, last, flags);
    return close_others(first, last, flags);
}

static void (*real_closefrom)(int);

static void in_place_of_closefrom(int first)
{
    if (!fth_prefix.is_on)
        real_closefrom(first);
    else if (real_close_range)
        close_others(first < 0 ? 0 : (unsigned)first, UINT_MAX, 0);
    else
        for (int at = first < 0 ? 0 : first; at < FTH_PREFIX_DESCRIPTORS; at++)
            if (!fth_prefix_is_own(at)) {
                fth_prefix_closes(at);
                close(at);
            }
}

/* ---- copying ---- */

static int (*real_dup)(int), (*real_dup2)(int, int), (*real_dup3)(int, int, int);

static int in_place_of_dup(int descriptor)
{
    int copy = real_dup(descriptor);
    fth_prefix_copied(descriptor, copy);
    return copy;
}

/* The number that our descriptor had is the program's now: it gives nothing away. */
static bool is_taken(int to)
{
    if (!fth_prefix_is_own(to))
        return false;
    errno = EBADF;
    return true;
}

/* A copy that fails leaves `to` as it is: only one that will be made closes it. false: `to` is not
 * the program's, errno is set. */
static bool gives_way(int descriptor, int to)
{
    if (descriptor == to)
        return true;
    if (is_taken(to))
        return false;
    if (fth_prefix_kernel_flags(descriptor) >= 0)
        fth_prefix_closes(to);
    return true;
}

static int in_place_of_dup2(int descriptor, int to)
{
    if (!gives_way(descriptor, to))
        return -1;
    int copy = real_dup2(descriptor, to);
    fth_prefix_copied(descriptor, copy);
    return copy;
}

static int in_place_of_dup3(int descriptor, int to, int flags)
{
    if (!(flags & ~O_CLOEXEC) && !gives_way(descriptor, to))
        return -1;
    int copy = real_dup3(descriptor, to, flags);
    fth_prefix_copied(descriptor, copy);
    return copy;
}

/* ---- locks: others see what was written under one, to any file, when it is given up ---- */

static void acquired(void)
{
    uint64_t signals = fth_prefix_enter();
    fth_prefix_fetch_all();
    fth_prefix_leave(signals);
}

/* false: errno is set. */
static bool releases(void)
{
    uint64_t signals = fth_prefix_enter();
    bool done = fth_prefix_publish_all();
    fth_prefix_leave(signals);
    return done;
}

static int (*real_flock)(int, int), (*real_lockf)(int, int, off_t);

static int in_place_of_flock(int descriptor, int operation)
{
    if (!fth_prefix_ours(descriptor))
        return real_flock(descriptor, operation);
    if (operation & LOCK_UN && !releases())
        return -1;
    int result = real_flock(descriptor, operation);
    if (!result && !(operation & LOCK_UN))
        acquired();
    return result;
}

static int in_place_of_lockf(int descriptor, int operation, off_t length)
{
    if (!fth_prefix_ours(descriptor))
        return real_lockf(descriptor, operation, length);
    if (operation == F_ULOCK && !releases())
        return -1;
    int result = real_lockf(descriptor, operation, length);
    if (!result && (operation == F_LOCK || operation == F_TLOCK))
        acquired();
    return result;
}

/* ---- fcntl ---- */

static int (*real_fcntl)(int, int, void *);

static int lock(int descriptor, int command, struct flock *lock)
{
    bool gives_up = lock && lock->l_type == F_UNLCK;
    if (gives_up && !releases())
        return -1;
    int result = real_fcntl(descriptor, command, lock);
    if (!result && !gives_up)
        acquired();
    return result;
}

/* The kernel does not have all of them (kept_flags.h). */
static int set_flags(int descriptor, int flags)
{
    int result =
        real_fcntl(descriptor, F_SETFL, (void *)(intptr_t)(flags & ~(O_APPEND | O_DIRECT)));
    if (!result)
        fth_prefix_set_flags(descriptor, flags);
    return result;
}

static int ours(int descriptor, int command, void *argument)
{
    int result;
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        result = real_fcntl(descriptor, command, argument);
        fth_prefix_copied(descriptor, result);
        return result;
    case F_GETFL:
        result = real_fcntl(descriptor, command, argument);
        return result < 0 ? result : result | fth_prefix_flags(descriptor);
    case F_SETFL:
        return set_flags(descriptor, (int)(intptr_t)argument);
    case F_GETSIG:
        return 0;
    case F_SETSIG:
        errno = EINVAL;
        return -1;
    case F_SETLEASE: /* the server has the file open to write */
        if ((intptr_t)argument == F_UNLCK)
            break;
        errno = EINVAL;
        return -1;
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
        return lock(descriptor, command, argument);
    default:
        break;
    }
    return real_fcntl(descriptor, command, argument);
}

static int in_place_of_fcntl(int descriptor, int command, void *argument)
{
    return fth_prefix_ours(descriptor) ? ours(descriptor, command, argument)
                                       : real_fcntl(descriptor, command, argument);
}

/* ---- from other processes ---- */

static ssize_t (*real_recvmsg)(int, struct msghdr *, int);

static ssize_t in_place_of_recvmsg(int socket, struct msghdr *message, int flags)
{
    ssize_t result = real_recvmsg(socket, message, flags);
    if (result < 0 || !fth_prefix.is_on || !message->msg_controllen)
        return result;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head; head = CMSG_NXTHDR(message, head))
        if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
            for (size_t at = 0; CMSG_LEN(at + sizeof(int)) <= head->cmsg_len; at += sizeof(int)) {
                int descriptor;
                memcpy(&descriptor, CMSG_DATA(head) + at, sizeof descriptor);
                fth_prefix_adopt(descriptor, FTH_NOT_CUT);
            }
    return result;
}

static int (*real_pidfd_getfd)(int, int, unsigned);

static int in_place_of_pidfd_getfd(int process, int descriptor, unsigned flags)
{
    return fth_prefix_adopt(real_pidfd_getfd(process, descriptor, flags), FTH_NOT_CUT);
}

const struct fth_prefix_call fth_prefix_descriptor_calls[] = {
    FTH_PREFIX_ROW(close, close),
    FTH_PREFIX_ROW(__close, close),
    FTH_PREFIX_ROW(close_range, close_range),
    FTH_PREFIX_ROW(closefrom, closefrom),
    FTH_PREFIX_ROW(dup, dup),
    FTH_PREFIX_ROW(dup2, dup2),
    FTH_PREFIX_ROW(__dup2, dup2),
    FTH_PREFIX_ROW(dup3, dup3),
    FTH_PREFIX_ROW(flock, flock),
    FTH_PREFIX_ROW(lockf, lockf),
    FTH_PREFIX_ROW(lockf64, lockf),
    FTH_PREFIX_ROW(fcntl, fcntl),
    FTH_PREFIX_ROW(fcntl64, fcntl),
    FTH_PREFIX_ROW(__fcntl, fcntl),
    FTH_PREFIX_ROW(recvmsg, recvmsg),
    FTH_PREFIX_ROW(pidfd_getfd, pidfd_getfd),
    {NULL, NULL, NULL}};
