/* Keys get numbers, items stand at them. */
#include "base/keyed.h"

#include "base/memory.h"

void *fth_keyed_find(struct fth_keyed *keyed, const void *key, size_t length)
{
    uint32_t number = fth_intern(&keyed->keys, key, length);
    if (length <= sizeof keyed->last_key) {
        keyed->last_key = 0;
        memcpy(&keyed->last_key, key, length);
        keyed->last_length = length;
        keyed->last = number + 1;
    }
    keyed->items = fth_reach(keyed->items, &keyed->limit, number, keyed->size);
    return fth_keyed_item(keyed, number);
}

void fth_keyed_free(struct fth_keyed *keyed)
{
    fth_intern_free(&keyed->keys);
    free(keyed->items);
    keyed->items = NULL;
    keyed->limit = keyed->last = 0;
}
