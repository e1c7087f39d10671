/* Queues of io_uring that a program has when it ends, however it came to them (its own instruction,
 * a library that makes system calls by itself): among its open files they have a name of their own.
 * One that was closed before is not found. Where a program has very many open files only the first
 * ones are looked at. */
#include "capture/process/clock.h"
#include "capture/process/counted.h"
#include "capture/process/process.h"
#include "interpose/own/files.h"
#include "interpose/own/put.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_LOOKED_AT = 64, ROOM = 2048, KNOWN = 64, MOST_QUEUES = 4 };

static int known[KNOWN]; /* descriptors + 1 of queues that are recorded */

void fth_ring_is_recorded(int descriptor, bool recorded)
{
    if (descriptor >= 0)
        __atomic_store_n(&known[descriptor % KNOWN], recorded ? descriptor + 1 : 0,
                         __ATOMIC_RELAXED);
}

static bool is_ring(int folder, const char *name)
{
    static const char ring[] = "anon_inode:[io_uring]";
    char target[sizeof ring];
    int descriptor = 0;
    long length = syscall(SYS_readlinkat, folder, name, target, sizeof target);
    if (length != sizeof ring - 1 || memcmp(target, ring, sizeof ring - 1) != 0)
        return false;
    for (; *name; name++)
        descriptor = descriptor * 10 + (*name - '0');
    return __atomic_load_n(&known[descriptor % KNOWN], __ATOMIC_RELAXED) != descriptor + 1;
}

/* What getdents64 has filled in. */
static bool has_ring(int folder, const char *entries, long length, int *looked_at)
{
    for (long at = 0; at < length;) {
        const struct dirent64 *entry = (const void *)(entries + at);
        at += entry->d_reclen;
        if (entry->d_name[0] == '.' || (*looked_at)++ >= MOST_LOOKED_AT)
            continue;
        if (is_ring(folder, entry->d_name))
            return true;
    }
    return false;
}

bool fth_has_unseen_ring_here(void)
{
    _Alignas(8) char entries[ROOM];
    int looked_at = 0;
    bool found = false;
    long length,
        folder = syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    while (!found && looked_at < MOST_LOOKED_AT &&
           (length = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        found = has_ring((int)folder, entries, length, &looked_at);
    fth_file_close((int)folder);
    return found;
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
