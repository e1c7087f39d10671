/* Chunks of entries, and for each number the first of its own. */
#include "base/indexed.h"

#include "base/memory.h"

#include <string.h>

static uint32_t add(struct fth_indexed *indexed, uint32_t number, uint64_t sort)
{
    uint32_t place = indexed->count, at = place + FTH_INDEXED_LEAST;
    int chunk = 31 - __builtin_clz(at) - 4;
    if (!indexed->chunks[chunk])
        indexed->chunks[chunk] =
            fth_resize(NULL, (size_t)FTH_INDEXED_LEAST << chunk, fth_indexed_bytes(indexed));
    indexed->count++;
    struct fth_indexed_entry *entry = fth_indexed_at(indexed, place);
    memset(entry, 0,
           fth_indexed_bytes(indexed)); /* not sooner: new memory comes when it is written to */
    entry->number = number;
    entry->sort = sort;
    return place;
}

uint32_t fth_indexed_place_among(struct fth_indexed *indexed, uint32_t number, uint64_t sort,
                                 unsigned most)
{
    indexed->first = fth_reach(indexed->first, &indexed->limit, number, sizeof *indexed->first);
    struct fth_indexed_entry *entry = NULL;
    for (uint32_t next = indexed->first[number]; next; next = entry->next) {
        entry = fth_indexed_at(indexed, next - 1);
        if (entry->sort == sort)
            return next - 1;
        if (--most == 0)
            return UINT32_MAX;
    }
    uint32_t place = add(indexed, number, sort);
    *(entry ? &entry->next : &indexed->first[number]) = place + 1;
    return place;
}

uint32_t fth_indexed_place(struct fth_indexed *indexed, uint32_t number, uint64_t sort)
{
    return fth_indexed_place_among(indexed, number, sort, UINT32_MAX);
}

void *fth_indexed_among(struct fth_indexed *indexed, uint32_t number, uint64_t sort, unsigned most)
{
    uint32_t place = fth_indexed_place_among(indexed, number, sort, most);
    return place == UINT32_MAX ? NULL : fth_indexed_item(indexed, place);
}

/* Not inline: a compiler sees no effect of a function that only prefetches, and leaves its calls
 * out (GCC 12). */
void fth_indexed_expect(const struct fth_indexed *indexed, uint32_t number)
{
    enum { CACHE_LINE = 64 };
    if (number >= indexed->limit || !indexed->first[number])
        return;
    const struct fth_indexed_entry *entry = fth_indexed_at(indexed, indexed->first[number] - 1);
    const char *from = (const char *)entry - (uintptr_t)entry % CACHE_LINE;
    const char *to =
        (const char *)entry->item + (indexed->expected ? indexed->expected : indexed->size);
    for (; from < to; from += CACHE_LINE)
        __builtin_prefetch(from, 1);
}

void fth_indexed_free(struct fth_indexed *indexed)
{
    for (int chunk = 0; chunk < FTH_INDEXED_CHUNKS; chunk++)
        free(indexed->chunks[chunk]);
    free(indexed->first);
    *indexed = (struct fth_indexed){.size = indexed->size, .expected = indexed->expected};
}
