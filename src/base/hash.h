/* FNV-1a (Fowler, Noll and Vo, 1991), 64 bits: a hash that is the same in every process, version
 * and machine, of a few bytes. */
#ifndef FTH_BASE_HASH_H
#define FTH_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FTH_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t fth_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    for (const uint8_t *at = bytes; length--; at++)
        hash = (hash ^ *at) * UINT64_C(0x100000001b3);
    return hash;
}

/* NULL is an empty text. */
static inline uint64_t fth_hash_words(uint64_t hash, const char *text)
{
    return fth_hash_bytes(hash, text, text ? strlen(text) : 0);
}
#endif
