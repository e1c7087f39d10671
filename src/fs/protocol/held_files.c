/* Files that a server holds. */
#include "fs/protocol/held_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *put_hexadecimal(char *to, uint64_t number)
{
    int shift = 60;
    while (shift && !(number >> shift))
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[number >> shift & 15];
    return to;
}

size_t fth_identity_of(const struct stat *status, char identity[FTH_IDENTITY_MOST])
{
    static const char start[] = FTH_IDENTITY_START;
    char *at = identity;
    memcpy(at, start, sizeof start - 1);
    at = put_hexadecimal(at + sizeof start - 1, status->st_dev);
    *at++ = '-';
    at = put_hexadecimal(at, status->st_ino);
    *at = 0;
    return (size_t)(at - identity);
}

uint8_t *fth_known_files_map(int folder, bool writes)
{
    int file = openat(folder, "known",
                      (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return NULL;
    int error = writes ? posix_fallocate(file, 0, FTH_KNOWN_BYTES) : 0;
    void *map = error ? MAP_FAILED
                      : mmap(NULL, FTH_KNOWN_BYTES, PROT_READ | (writes ? PROT_WRITE : 0),
                             MAP_SHARED, file, 0);
    error = error ? error : errno;
    close(file);
    errno = error;
    return map == MAP_FAILED ? NULL : map;
}

static uint64_t bit_of(const char *identity, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a (Fowler, Noll, Vo) */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)identity[i]) * 0x100000001b3;
    return (hash ^ hash >> 32) % (FTH_KNOWN_BYTES * 8);
}

void fth_known_files_add(uint8_t *known, const char *identity, size_t length)
{
    uint64_t bit = bit_of(identity, length);
    if (known)
        __atomic_fetch_or(&known[bit / 8], (uint8_t)(1 << bit % 8), __ATOMIC_SEQ_CST);
}

bool fth_known_files_has(const uint8_t *known, const char *identity, size_t length)
{
    uint64_t bit = bit_of(identity, length);
    return __atomic_load_n(&known[bit / 8], __ATOMIC_SEQ_CST) >> bit % 8 & 1;
}
