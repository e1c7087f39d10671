/* Items found by a key, zeroed when a key comes for the first time. Keys are plain bytes:
 * structures without holes, or zeroed before they are filled. */
#ifndef FTH_BASE_KEYED_H
#define FTH_BASE_KEYED_H

#include "base/intern.h"

#include <string.h>

struct fth_keyed {
    size_t size; /* of an item; set by the owner, the rest is zero at first */
    struct fth_intern keys;
    uint8_t *items;
    uint32_t limit;
    /* Short keys once more, in a table with their bytes in it: whoever looks for one among many
     * finds it in one place of memory. */
    struct fth_keyed_place *places;
    uint32_t place_count;
    uint32_t last;     /* asked for by a short key, plus 1: who asks again is not looked for */
    uint64_t last_key; /* its bytes */
    size_t last_length;
};

static inline uint32_t fth_keyed_count(const struct fth_keyed *keyed)
{
    return keyed->keys.count;
}
/* In order of first appearance. */
static inline void *fth_keyed_item(const struct fth_keyed *keyed, uint32_t number)
{
    return keyed->items + (size_t)number * keyed->size;
}
static inline const void *fth_keyed_key(const struct fth_keyed *keyed, uint32_t number)
{
    size_t length;
    return fth_interned(&keyed->keys, number, &length);
}
void *fth_keyed_find(struct fth_keyed *keyed, const void *key, size_t length);
/* The item of this key; valid until the next call. */
static inline void *fth_keyed_get(struct fth_keyed *keyed, const void *key, size_t length)
{
    uint64_t bytes = 0;
    if (length > sizeof bytes)
        return fth_keyed_find(keyed, key, length);
    memcpy(&bytes, key, length);
    if (keyed->last && bytes == keyed->last_key && length == keyed->last_length)
        return fth_keyed_item(keyed, keyed->last - 1);
    return fth_keyed_find(keyed, key, length);
}
void fth_keyed_free(struct fth_keyed *keyed);

#endif
