/* Queues of io_uring that a program has when it ends, even those set up by direct system calls:
 * they have a special name among its open files. Queues that were closed before are not found,
 * nor those with a descriptor far above the others. */
#include "capture/process/process_clock.h"
#include "capture/process/system_counts.h"
#include "capture/process/process.h"
#include "interpose/own/put.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LONGEST_GAP = 32, KNOWN = 64, MOST_QUEUES = 4 };

static int known[KNOWN]; /* descriptors + 1 of queues that are recorded */

void fth_ring_is_recorded(int descriptor, bool recorded)
{
    if (descriptor >= 0)
        __atomic_store_n(&known[descriptor % KNOWN], recorded ? descriptor + 1 : 0,
                         __ATOMIC_RELAXED);
}

static bool is_open(int descriptor)
{
    return syscall(SYS_fcntl, descriptor, F_GETFD) >= 0;
}

/* It has no type, as all that the kernel makes without a file system. No server is asked. */
static bool has_no_type(int descriptor)
{
    struct statx status;
    return syscall(SYS_statx, descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE,
                   &status) == 0 &&
           !(status.stx_mode & S_IFMT);
}

static bool is_named_ring(int descriptor)
{
    static const char ring[] = "anon_inode:[io_uring]";
    char path[32], target[sizeof ring];
    fth_put_decimal(fth_put_text(path, "/proc/self/fd/"), (uint64_t)descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof target);
    return length == sizeof ring - 1 && memcmp(target, ring, sizeof ring - 1) == 0;
}

static bool is_recorded(int descriptor)
{
    return __atomic_load_n(&known[descriptor % KNOWN], __ATOMIC_RELAXED) == descriptor + 1;
}

/* The system gives the lowest free number. */
bool fth_has_unseen_ring(void)
{
    for (int i = 0, last = 0; i <= last + LONGEST_GAP; i++) {
        if (!is_open(i))
            continue;
        last = i;
        if (has_no_type(i) && !is_recorded(i) && is_named_ring(i))
            return true;
    }
    return false;
}

/* ---- notes ---- */

void fth_queue_seen(const char *name)
{
    static const char *noted[MOST_QUEUES];
    char start[64];
    if (fth_vforked || *fth_alive != 1)
        return;
    for (size_t i = 0; i < MOST_QUEUES; i++) {
        const char *other = NULL;
        if (__atomic_compare_exchange_n(&noted[i], &other, name, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            break;
        if (other && strcmp(other, name) == 0)
            return;
    }
    fth_put_text(fth_put_decimal(fth_put_text(start, FTH_QUEUE_KEY "="),
                                 (uint64_t)fth_clock_anchor().realtime),
                 " ");
    fth_process_note(start, name);
}
