/* Keys get numbers, items stand at them. */
#include "base/keyed.h"

#include "base/memory.h"

static struct fth_keyed_place *place_of(const struct fth_keyed *keyed,
                                        const struct fth_keyed_place *key)
{
    uint64_t mixed = (key->bytes[0] ^ key->bytes[1] * 0xC2B2AE3D27D4EB4Fu) * 0x9E3779B97F4A7C15u;
    uint32_t mask = keyed->place_count - 1, at = (uint32_t)(mixed >> 32) & mask;
    while (keyed->places[at].entry && !fth_keyed_same(&keyed->places[at], key))
        at = (at + 1) & mask;
    return &keyed->places[at];
}

static void grow(struct fth_keyed *keyed)
{
    struct fth_keyed_place *old = keyed->places;
    uint32_t old_count = keyed->place_count;
    keyed->place_count = old_count ? 2 * old_count : 16;
    keyed->places = fth_new(keyed->place_count, sizeof *keyed->places);
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].entry)
            *place_of(keyed, &old[i]) = old[i];
    free(old);
}

static uint32_t number_of_short(struct fth_keyed *keyed, const void *key, size_t length)
{
    struct fth_keyed_place asked = fth_keyed_short(key, length);
    if (keyed->keys.count * 2 >= keyed->place_count)
        grow(keyed);
    struct fth_keyed_place *place = place_of(keyed, &asked);
    if (!place->entry) {
        asked.entry = fth_intern_append(&keyed->keys, key, length) + 1;
        *place = asked;
    }
    keyed->last = *place;
    return place->entry - 1;
}

bool fth_keyed_number(const struct fth_keyed *keyed, const void *key, size_t length,
                      uint32_t *number)
{
    if (length > sizeof keyed->last.bytes)
        return fth_intern_find(&keyed->keys, key, length, number);
    struct fth_keyed_place asked = fth_keyed_short(key, length);
    *number = keyed->place_count ? place_of(keyed, &asked)->entry - 1 : UINT32_MAX;
    return *number != UINT32_MAX;
}

void *fth_keyed_find(struct fth_keyed *keyed, const void *key, size_t length)
{
    uint32_t number = length <= sizeof keyed->last.bytes ? number_of_short(keyed, key, length)
                                                         : fth_intern(&keyed->keys, key, length);
    keyed->items = fth_reach(keyed->items, &keyed->limit, number, keyed->size);
    return fth_keyed_item(keyed, number);
}

void fth_keyed_free(struct fth_keyed *keyed)
{
    fth_intern_free(&keyed->keys);
    free(keyed->items);
    free(keyed->places);
    keyed->items = NULL;
    keyed->places = NULL;
    keyed->limit = keyed->last.entry = keyed->place_count = 0;
}
