/* Memory that lives as long as a catalogue, and what is found in it by name. */
#include "base/hash.h"
#include "catalog/store.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 32 << 10 };

struct block {
    struct block *next;
    max_align_t bytes[];
};

void *fth_store_take(struct fth_catalog_store *store, size_t bytes)
{
    bytes = (bytes + 7) & ~(size_t)7;
    if (bytes > store->free_bytes) {
        size_t size = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
        struct block *block = malloc(sizeof *block + size);
        if (!block)
            return NULL;
        block->next = store->blocks;
        store->blocks = block;
        if (size == bytes) /* a large one: the rest of the current block stays in use */
            return block->bytes;
        store->free_from = (char *)block->bytes;
        store->free_bytes = size;
    }
    void *taken = store->free_from;
    store->free_from += bytes;
    store->free_bytes -= bytes;
    return taken;
}

char *fth_store_text(struct fth_catalog_store *store, const char *text, size_t length)
{
    char *copy = fth_store_take(store, length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

static uint32_t hash_of(const char *name, size_t length)
{
    return (uint32_t)fth_hash_bytes(FTH_HASH_START, name, length);
}

/* The slot of this name, or the empty one where it belongs. The table must not be empty. */
static struct fth_name_slot *names_slot(const struct fth_names *names, const char *name,
                                        size_t length)
{
    uint32_t hash = hash_of(name, length);
    for (size_t i = hash & (names->size - 1);; i = (i + 1) & (names->size - 1)) {
        struct fth_name_slot *slot = &names->slots[i];
        if (!slot->name || (slot->hash == hash && strncmp(slot->name, name, length) == 0 &&
                            slot->name[length] == '\0'))
            return slot;
    }
}

int fth_names_find(const struct fth_names *names, const char *name, size_t length)
{
    if (names->size == 0)
        return -1;
    const struct fth_name_slot *slot = names_slot(names, name, length);
    return slot->name ? (int)slot->index : -1;
}

bool fth_names_add(struct fth_names *names, const char *name, size_t index)
{
    if (names->used * 2 >= names->size) {
        struct fth_names larger = {.size = names->size ? names->size * 2 : 64, .used = names->used};
        larger.slots = calloc(larger.size, sizeof *larger.slots);
        if (!larger.slots)
            return false;
        for (size_t i = 0; i < names->size; i++) {
            const struct fth_name_slot *old = &names->slots[i];
            if (old->name)
                *names_slot(&larger, old->name, strlen(old->name)) = *old;
        }
        free(names->slots);
        *names = larger;
    }
    size_t length = strlen(name);
    *names_slot(names, name, length) = (struct fth_name_slot){
        .name = name, .hash = hash_of(name, length), .index = (uint32_t)index};
    names->used++;
    return true;
}

void *fth_grown(void *items, size_t count, size_t item_bytes)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return items;
    return reallocarray(items, count ? count * 2 : 1, item_bytes);
}

void fth_store_free(struct fth_catalog_store *store)
{
    while (store && store->blocks) {
        struct block *next = store->blocks->next;
        free(store->blocks);
        store->blocks = next;
    }
    if (store) {
        free(store->classes.slots);
        free(store->flags.slots);
        free(store->rows.slots);
    }
    free(store);
}
