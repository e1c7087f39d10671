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

static uint32_t *reach(struct fth_indexed *indexed, uint32_t number)
{
    struct fth_indexed_firsts *firsts = indexed->shared;
    if (firsts)
        firsts->places = fth_reach(firsts->places, &firsts->limit, number,
                                   firsts->columns * sizeof *firsts->places);
    else
        indexed->own.places = fth_reach(indexed->own.places, &indexed->own.limit, number,
                                        sizeof *indexed->own.places);
    return fth_indexed_begin(indexed, number);
}

uint32_t fth_indexed_place_among(struct fth_indexed *indexed, uint32_t number, uint64_t sort,
                                 unsigned most)
{
    uint32_t *first = reach(indexed, number);
    struct fth_indexed_entry *entry = NULL;
    for (uint32_t next = *first; next; next = entry->next) {
        entry = fth_indexed_at(indexed, next - 1);
        if (entry->sort == sort)
            return next - 1;
        if (--most == 0)
            return UINT32_MAX;
    }
    uint32_t place = add(indexed, number, sort);
    *(entry ? &entry->next : first) = place + 1;
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

void fth_indexed_share(struct fth_indexed *indexed, struct fth_indexed_firsts *firsts,
                       uint32_t column)
{
    indexed->shared = firsts;
    indexed->column = column;
}

void fth_indexed_free_firsts(struct fth_indexed_firsts *firsts)
{
    free(firsts->places);
    *firsts = (struct fth_indexed_firsts){.columns = firsts->columns};
}

/* Not inline: a compiler sees no effect of a function that only prefetches, and leaves its calls
 * out (GCC 12). */
void fth_indexed_expect(const struct fth_indexed *indexed, uint32_t number)
{
    enum { CACHE_LINE = 64 };
    uint32_t place = fth_indexed_first(indexed, number);
    if (place == UINT32_MAX)
        return;
    const struct fth_indexed_entry *entry = fth_indexed_at(indexed, place);
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
    free(indexed->own.places);
    *indexed = (struct fth_indexed){.size = indexed->size, .expected = indexed->expected};
}
