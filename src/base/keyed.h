/* Items found by a key, zeroed when a key comes for the first time. Keys are plain bytes:
 * structures without holes, or zeroed before they are filled. */
#ifndef FTH_BASE_KEYED_H
#define FTH_BASE_KEYED_H

#include "base/intern.h"

#include <string.h>

/* A short key, with zeros behind it, and which item it has. */
struct fth_keyed_place {
    uint64_t bytes[2];
    uint32_t length, entry; /* entry: number + 1; 0: it has none */
};

struct fth_keyed {
    size_t size; /* of an item; set by the owner, the rest is zero at first */
    struct fth_intern keys; /* by number; no search in it finds short ones */
    uint8_t *items;
    uint32_t limit;
    /* Short keys, in a table with their bytes in it: whoever looks for one among many finds it in
     * one place of memory. */
    struct fth_keyed_place *places;
    uint32_t place_count;
    struct fth_keyed_place last; /* short key asked for: who asks again is not looked for */
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
static inline struct fth_keyed_place fth_keyed_short(const void *key, size_t length)
{
    struct fth_keyed_place made = {.length = (uint32_t)length};
    memcpy(made.bytes, key, length);
    return made;
}
static inline bool fth_keyed_same(const struct fth_keyed_place *one,
                                  const struct fth_keyed_place *other)
{
    return one->bytes[0] == other->bytes[0] && one->bytes[1] == other->bytes[1] &&
           one->length == other->length;
}
/* The number of its item, if it has one. */
bool fth_keyed_number(const struct fth_keyed *keyed, const void *key, size_t length,
                      uint32_t *number);
/* Does it have one? */
static inline bool fth_keyed_has(const struct fth_keyed *keyed, const void *key, size_t length)
{
    uint32_t number;
    return fth_keyed_number(keyed, key, length, &number);
}
void *fth_keyed_find(struct fth_keyed *keyed, const void *key, size_t length);
/* The item of this key; valid until the next call. */
static inline void *fth_keyed_get(struct fth_keyed *keyed, const void *key, size_t length)
{
    if (length <= sizeof keyed->last.bytes && keyed->last.entry) {
        const struct fth_keyed_place asked = fth_keyed_short(key, length);
        if (fth_keyed_same(&asked, &keyed->last))
            return fth_keyed_item(keyed, keyed->last.entry - 1);
    }
    return fth_keyed_find(keyed, key, length);
}
void fth_keyed_free(struct fth_keyed *keyed);

#endif
