/* Maps. */
#include "prefix/bytes_of_files.h"
#include "prefix/giving.h"
#include "prefix/prefix_calls.h"
#include "prefix/program_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *(*real_mmap)(void *, size_t, int, int, int, off_t);

/* A private map has the bytes that the file has now: a copy. */
static void *map_copy(void *address, size_t length, int protection, int flags, int file,
                      off_t offset)
{
    flags = (flags & ~(MAP_TYPE | MAP_DENYWRITE | MAP_EXECUTABLE)) | MAP_PRIVATE | MAP_ANONYMOUS;
    char *map = (char *)syscall(SYS_mmap, address, length, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (map == MAP_FAILED)
        return map;
    for (size_t done = 0; done < length;) {
        ssize_t count = fth_prefix_read(file, &(struct iovec){map + done, length - done}, 1,
                                        offset + (off_t)done);
        if (count < 0) {
            int error = errno;
            syscall(SYS_munmap, map, length);
            errno = error;
            return MAP_FAILED;
        }
        if (!count)
            break;
        done += (size_t)count;
    }
    if (protection != (PROT_READ | PROT_WRITE))
        syscall(SYS_mprotect, map, length, protection);
    return map;
}

static void *in_place_of_mmap(void *address, size_t length, int protection, int flags, int file,
                              off_t offset)
{
    int error = 0;
    if (flags & MAP_FIXED)
        fth_memory_changed();
    if ((flags & MAP_ANONYMOUS) || !fth_prefix_ours(file))
        return real_mmap(address, length, protection, flags, file, offset);
    if ((flags & MAP_TYPE) != MAP_PRIVATE) /* everybody works on the file below from now on */
        return fth_prefix_give(file)
                   ? real_mmap(address, length, protection, flags, file, offset)
                   : MAP_FAILED;
    if (!fth_prefix_reads(file))
        error = EACCES;
    else if (offset < 0 || offset % 4096 || !length)
        error = EINVAL;
    if (!error)
        return map_copy(address, length, protection, flags, file, offset);
    errno = error;
    return MAP_FAILED;
}

static int (*real_munmap)(void *, size_t), (*real_mprotect)(void *, size_t, int);
static void *(*real_mremap)(void *, size_t, size_t, int, void *);

static int in_place_of_munmap(void *address, size_t length)
{
    fth_memory_changed();
    return real_munmap(address, length);
}

static int in_place_of_mprotect(void *address, size_t length, int protection)
{
    fth_memory_changed();
    return real_mprotect(address, length, protection);
}

static void *in_place_of_mremap(void *old, size_t old_length, size_t length, int flags,
                                void *address)
{
    fth_memory_changed();
    return real_mremap(old, old_length, length, flags, address);
}

const struct fth_prefix_call fth_prefix_map_calls[] = {
    FTH_PREFIX_ROW(mmap, mmap),         FTH_PREFIX_ROW(mmap64, mmap),
    FTH_PREFIX_ROW(munmap, munmap),     FTH_PREFIX_ROW(mprotect, mprotect),
    FTH_PREFIX_ROW(mremap, mremap),     {NULL, NULL, NULL}};
