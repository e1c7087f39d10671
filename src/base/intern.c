/* Interning: an append-only store and an open hash table of numbers into it. */
#include "base/intern.h"

#include "base/memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static uint32_t place(const struct fth_intern *intern, const void *bytes, size_t length)
{
    uint32_t mask = intern->table_size - 1;
    uint32_t at = (uint32_t)XXH3_64bits(bytes, length) & mask;
    for (; intern->table[at]; at = (at + 1) & mask) {
        size_t known_length;
        const uint8_t *known = fth_interned(intern, intern->table[at] - 1, &known_length);
        if (known_length == length && (length == 0 || memcmp(known, bytes, length) == 0))
            break;
    }
    return at;
}

static void grow(struct fth_intern *intern)
{
    free(intern->table);
    intern->table_size = intern->table_size ? intern->table_size * 2 : 64;
    intern->table = fth_new(intern->table_size, sizeof *intern->table);
    for (uint32_t i = 0; i < intern->count; i++) {
        size_t length;
        const uint8_t *bytes = fth_interned(intern, i, &length);
        intern->table[place(intern, bytes, length)] = i + 1;
    }
}

uint32_t fth_intern(struct fth_intern *intern, const void *bytes, size_t length)
{
    if (intern->count * 2 >= intern->table_size)
        grow(intern);
    uint32_t at = place(intern, bytes, length);
    if (intern->table[at])
        return intern->table[at] - 1;
    if (!intern->start)
        intern->start = fth_new(1, sizeof *intern->start);
    fth_bytes_room(&intern->store,
                   length + 1); /* there is a store even when all strings are empty */
    fth_bytes_put(&intern->store, bytes, length);
    intern->count++;
    FTH_GROW(intern->start, intern->count);
    intern->start[intern->count] = intern->store.length;
    return (intern->table[at] = intern->count) - 1;
}

bool fth_intern_find(const struct fth_intern *intern, const void *bytes, size_t length,
                     uint32_t *number)
{
    uint32_t found = intern->count ? intern->table[place(intern, bytes, length)] : 0;
    *number = found - 1;
    return found != 0;
}

bool fth_interned_before(const struct fth_intern *intern, const void *bytes, size_t length)
{
    return intern->count && intern->table[place(intern, bytes, length)];
}

void fth_intern_free(struct fth_intern *intern)
{
    fth_bytes_free(&intern->store);
    free(intern->start);
    free(intern->table);
    *intern = (struct fth_intern){0};
}
