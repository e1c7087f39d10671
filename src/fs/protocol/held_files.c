/* Files that a server holds. */
#include "fs/protocol/held_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

bool fth_held_is_identity(const char *name, size_t length)
{
    static const char start[] = FTH_IDENTITY_START;
    return length >= sizeof start - 1 && memcmp(name, start, sizeof start - 1) == 0;
}

static char *put_hexadecimal(char *to, uint64_t number)
{
    int shift = 60;
    while (shift && !(number >> shift))
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[number >> shift & 15];
    return to;
}

uint64_t fth_held_born(int directory, const char *path)
{
    struct statx facts;
    if (syscall(SYS_statx, directory, path, AT_EMPTY_PATH, STATX_BTIME, &facts) ||
        !(facts.stx_mask & STATX_BTIME))
        return 0;
    return (uint64_t)facts.stx_btime.tv_sec * 1000000000 + facts.stx_btime.tv_nsec;
}

size_t fth_identity_of(const struct stat *status, uint64_t born, char identity[FTH_IDENTITY_MOST])
{
    static const char start[] = FTH_IDENTITY_START;
    char *at = identity;
    memcpy(at, start, sizeof start - 1);
    at = put_hexadecimal(at + sizeof start - 1, status->st_ino);
    if (born) {
        *at++ = '-';
        at = put_hexadecimal(at, born);
    }
    *at = 0;
    return (size_t)(at - identity);
}

enum { BYTES = 2 * FTH_KNOWN_BYTES };

uint8_t *fth_known_files_map(int folder, bool writes)
{
    int file = openat(folder, "known",
                      (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return NULL;
    int error = writes ? posix_fallocate(file, 0, BYTES) : 0;
    void *map = error ? MAP_FAILED
                      : mmap(NULL, BYTES, PROT_READ | (writes ? PROT_WRITE : 0),
                             MAP_SHARED, file, 0);
    error = error ? error : errno;
    close(file);
    errno = error;
    return map == MAP_FAILED ? NULL : map;
}

void fth_known_files_unmap(uint8_t *known)
{
    munmap(known, BYTES);
}

void fth_known_files_add_all(uint8_t *known)
{
    memset(known, 0xff, FTH_KNOWN_BYTES);
}

uint32_t fth_known_files_bit(const char *identity, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a (Fowler, Noll, Vo) */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)identity[i]) * 0x100000001b3;
    return (uint32_t)((hash ^ hash >> 32) % (FTH_KNOWN_BYTES * 8));
}

static void set(uint8_t *known, uint32_t bit)
{
    if (known)
        __atomic_fetch_or(&known[bit / 8], (uint8_t)(1 << bit % 8), __ATOMIC_SEQ_CST);
}

void fth_known_files_add(uint8_t *known, const char *identity, size_t length)
{
    set(known, fth_known_files_bit(identity, length));
}

void fth_known_files_give(uint8_t *known, const char *identity, size_t length)
{
    set(known, FTH_KNOWN_BYTES * 8 + fth_known_files_bit(identity, length));
}
