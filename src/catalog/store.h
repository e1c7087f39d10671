/* Memory that lives as long as a catalogue, and what is found in it by name. Inner header of the
 * catalogue's room. */
#ifndef FTH_CATALOG_STORE_H
#define FTH_CATALOG_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An open-addressed table from names to indices, at most half full. */
struct fth_names {
    struct fth_name_slot {
        const char *name; /* NULL: empty */
        uint32_t hash, index;
    } * slots;
    size_t size; /* a power of two, or 0 */
    size_t used;
};

struct fth_catalog_store {
    struct block *blocks;
    char *free_from;
    size_t free_bytes;
    struct fth_names classes, flags, rows;
};

/* `bytes` bytes for an object of any type; NULL: out of memory. */
void *fth_store_take(struct fth_catalog_store *store, size_t bytes);
char *fth_store_text(struct fth_catalog_store *store, const char *text, size_t length);
void fth_store_free(struct fth_catalog_store *store);

/* The index under this name, or -1. */
int fth_names_find(const struct fth_names *names, const char *name, size_t length);
/* Adds a name that is not there yet and stays where it is. False: out of memory. */
bool fth_names_add(struct fth_names *names, const char *name, size_t index);

/* Makes room for one more item in an array that grows by doubling; NULL: out of memory. */
void *fth_grown(void *items, size_t count, size_t item_bytes);

#endif
