/* Interning: an append-only store and an open hash table of numbers into it. */
#include "base/intern.h"

#include "base/memory.h"

#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

static uint32_t hash_of(const void *bytes, size_t length)
{
    return (uint32_t)XXH3_64bits(bytes, length);
}

static struct fth_intern_place *place(const struct fth_intern *intern, const void *bytes,
                                      size_t length, uint32_t hash)
{
    uint32_t mask = intern->table_size - 1, at = hash & mask;
    for (; intern->table[at].entry; at = (at + 1) & mask) {
        if (intern->table[at].hash != hash)
            continue;
        size_t known_length;
        const uint8_t *known = fth_interned(intern, intern->table[at].entry - 1, &known_length);
        if (known_length == length && (length == 0 || memcmp(known, bytes, length) == 0))
            break;
    }
    return &intern->table[at];
}

static void grow(struct fth_intern *intern)
{
    struct fth_intern_place *old = intern->table;
    uint32_t old_size = intern->table_size, mask;
    intern->table_size = old_size ? old_size * 2 : 64;
    intern->table = fth_new_table(intern->table_size, sizeof *intern->table);
    mask = intern->table_size - 1;
    for (uint32_t i = 0; i < old_size; i++) {
        uint32_t at = old[i].hash & mask;
        if (!old[i].entry)
            continue;
        while (intern->table[at].entry)
            at = (at + 1) & mask;
        intern->table[at] = old[i];
    }
    free(old);
}

uint32_t fth_intern_append(struct fth_intern *intern, const void *bytes, size_t length)
{
    if (!intern->start)
        intern->start = fth_new(1, sizeof *intern->start);
    /* A part of a string that is held already moves with the store. */
    const uint8_t *store = intern->store.data;
    bool is_held = store && (const uint8_t *)bytes - store >= 0 &&
                   (size_t)((const uint8_t *)bytes - store) < intern->store.length;
    size_t offset = is_held ? (size_t)((const uint8_t *)bytes - store) : 0;
    /* There is a store even when all strings are empty. */
    fth_bytes_room(&intern->store, length + 1);
    fth_bytes_put(&intern->store, is_held ? intern->store.data + offset : bytes, length);
    intern->count++;
    FTH_GROW(intern->start, intern->count);
    intern->start[intern->count] = intern->store.length;
    return intern->count - 1;
}

uint32_t fth_intern(struct fth_intern *intern, const void *bytes, size_t length)
{
    if (intern->count * 2 >= intern->table_size)
        grow(intern);
    uint32_t hash = hash_of(bytes, length);
    struct fth_intern_place *at = place(intern, bytes, length, hash);
    if (!at->entry)
        *at = (struct fth_intern_place){fth_intern_append(intern, bytes, length) + 1, hash};
    return at->entry - 1;
}

bool fth_intern_find(const struct fth_intern *intern, const void *bytes, size_t length,
                     uint32_t *number)
{
    uint32_t found =
        intern->table_size ? place(intern, bytes, length, hash_of(bytes, length))->entry : 0;
    *number = found - 1;
    return found != 0;
}

bool fth_interned_before(const struct fth_intern *intern, const void *bytes, size_t length)
{
    uint32_t number;
    return fth_intern_find(intern, bytes, length, &number);
}

uint32_t fth_intern_next(struct fth_intern *intern, struct fth_intern_trail *trail,
                         const void *bytes, size_t length)
{
    uint32_t guess = trail->last < trail->limit ? trail->behind[trail->last] : 0;
    if (guess) {
        size_t known_length;
        const uint8_t *known = fth_interned(intern, guess - 1, &known_length);
        if (known_length == length && memcmp(known, bytes, length) == 0)
            return trail->last = guess - 1;
    }
    uint32_t number = fth_intern(intern, bytes, length);
    trail->behind = fth_reach(trail->behind, &trail->limit, trail->last, sizeof *trail->behind);
    trail->behind[trail->last] = number + 1;
    return trail->last = number;
}

void fth_intern_trail_free(struct fth_intern_trail *trail)
{
    free(trail->behind);
    *trail = (struct fth_intern_trail){0};
}

void fth_intern_free(struct fth_intern *intern)
{
    fth_bytes_free(&intern->store);
    free(intern->start);
    free(intern->table);
    *intern = (struct fth_intern){0};
}

void fth_intern_empty(struct fth_intern *intern)
{
    intern->store.length = intern->count = 0;
    if (intern->table_size)
        memset(intern->table, 0, intern->table_size * sizeof *intern->table);
}

uint64_t fth_hash_text(const char *text)
{
    return XXH3_64bits(text, strlen(text));
}
