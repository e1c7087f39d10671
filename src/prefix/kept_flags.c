/* Flags of open files that are kept beside those of the kernel. */
#include "prefix/kept_flags.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of each descriptor the changes when the system was asked, and then a bit: does it append? 0: it
 * has not been. */
static uint64_t asked[FTH_PREFIX_DESCRIPTORS];
static uint64_t *changes; /* NULL: they are not counted */

enum { TAG = 48, TAG_APPEND = 1, TAG_DIRECT = 2, TAG_LAST = TAG + 3 };

int fth_prefix_flags(int descriptor)
{
    long tag = syscall(SYS_fcntl, descriptor, F_GETSIG, 0);
    if (tag < TAG || tag > TAG_LAST)
        return 0;
    return ((tag - TAG) & TAG_APPEND ? O_APPEND : 0) | ((tag - TAG) & TAG_DIRECT ? O_DIRECT : 0);
}

void fth_prefix_set_flags(int descriptor, int flags)
{
    int tag = TAG + (flags & O_APPEND ? TAG_APPEND : 0) + (flags & O_DIRECT ? TAG_DIRECT : 0);
    syscall(SYS_fcntl, descriptor, F_SETSIG, flags & FTH_PREFIX_KEPT ? tag : 0);
    if (changes)
        __atomic_add_fetch(changes, 1, __ATOMIC_SEQ_CST);
}

void fth_prefix_begin_flags(int folder)
{
    enum { FLAGS = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC };
    int file = openat(folder, "changes", FLAGS, 0600);
    void *map = file < 0 || posix_fallocate(file, 0, sizeof *changes)
                    ? MAP_FAILED
                    : mmap(NULL, sizeof *changes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    changes = map == MAP_FAILED ? NULL : map;
}

bool fth_prefix_appends(int descriptor)
{
    uint64_t now = changes ? __atomic_load_n(changes, __ATOMIC_SEQ_CST) + 1 : 0;
    if (!now || asked[descriptor] >> 1 != now)
        asked[descriptor] = now << 1 | ((fth_prefix_flags(descriptor) & O_APPEND) != 0);
    return asked[descriptor] & 1;
}

int fth_prefix_kernel_flags(int descriptor)
{
    return (int)syscall(SYS_fcntl, descriptor, F_GETFL, 0);
}

void fth_prefix_forget_flags(int descriptor)
{
    asked[descriptor] = 0;
}
