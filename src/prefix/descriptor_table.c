/* Which descriptors are of files of the file system, and what of them is kept beside the kernel. */
#include "prefix/descriptor_table.h"

#include "prefix/prefix.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
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

void fth_prefix_set_file(int descriptor, struct fth_client_file *file)
{
    count(file, 1);
    count(fth_prefix_opened[descriptor], UINT32_MAX);
    fth_prefix_opened[descriptor] = file;
    fth_prefix_forget_flags(descriptor);
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
