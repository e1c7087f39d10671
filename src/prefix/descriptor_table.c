/* Which descriptors are of files of the file system, and what of them is kept beside the kernel. */
#include "prefix/descriptor_table.h"

#include "prefix/prefix.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct fth_client_file *fth_prefix_opened[FTH_PREFIX_DESCRIPTORS];
uint8_t fth_prefix_uses[FTH_PREFIX_DESCRIPTORS];

/* Descriptors of files, by the last bits of the file's bit. */
enum { COUNTS = 4096 };
static uint32_t counts[COUNTS];

static void count(const struct fth_client_file *file, uint32_t more)
{
    if (file)
        __atomic_add_fetch(&counts[file->bit % COUNTS], more, __ATOMIC_SEQ_CST);
}

/* Of each descriptor the changes when the system was asked, and then a bit: does it append? 0: it has
 * not been. */
static uint64_t asked[FTH_PREFIX_DESCRIPTORS];
static uint64_t *changes; /* NULL: they are not counted */

void fth_prefix_set_file(int descriptor, struct fth_client_file *file)
{
    count(file, 1);
    count(fth_prefix_opened[descriptor], UINT32_MAX);
    fth_prefix_opened[descriptor] = file;
    asked[descriptor] = 0;
}

bool fth_prefix_may_have(uint32_t bit)
{
    return __atomic_load_n(&counts[bit % COUNTS], __ATOMIC_SEQ_CST) != 0;
}

int fth_prefix_any_writer(const struct fth_client_file *file)
{
    for (int i = 0; i < FTH_PREFIX_DESCRIPTORS; i++)
        if (fth_prefix_opened[i] == file && fth_prefix_writes(i))
            return i;
    return -1;
}

/* ---- flags ---- */

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

/* ---- whose file is it? ---- */

bool fth_prefix_is_below(int descriptor, char name[PATH_MAX])
{
    char link[48];
    size_t above = fth_prefix.under_length;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, name, PATH_MAX);
    if (length < (long)above || length == PATH_MAX ||
        memcmp(name, fth_prefix.under, above) != 0 ||
        (length > (long)above && name[above] != '/'))
        return false;
    size_t rest = length > (long)above ? (size_t)length - above - 1 : 0;
    memmove(name, name + above + 1, rest);
    name[rest] = 0;
    return true;
}
