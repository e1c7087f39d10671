/* Bytes of files in pieces: see the header. */
#include "sim/io/held.h"

#include "base/memory.h"

#include <stdlib.h>

enum { SHIFT = 20 }; /* of a MiB */

struct place {
    uint64_t file, number;
};

static struct fth_sim_holding **first_of(struct fth_sim_held *held, uint32_t file, uint64_t offset)
{
    struct place place = {file, offset >> SHIFT};
    held->firsts.size = sizeof(struct fth_sim_holding *);
    return fth_keyed_get(&held->firsts, &place, sizeof place);
}

static uint64_t end_of(const struct fth_sim_holding *holding)
{
    return holding->extent.offset + holding->extent.bytes;
}

static void insert(struct fth_sim_held *held, struct fth_sim_holding **at, uint64_t from,
                   uint64_t to, struct fth_sim_chunk *chunk)
{
    struct fth_sim_holding *holding = held->free;
    if (holding)
        held->free = holding->next;
    else
        holding = fth_new(1, sizeof *holding);
    *holding = (struct fth_sim_holding){*at, {from, to - from}, chunk};
    *at = holding;
}

static void take_out(struct fth_sim_held *held, struct fth_sim_holding **at)
{
    struct fth_sim_holding *holding = *at;
    *at = holding->next;
    holding->next = held->free;
    held->free = holding;
}

/* Within one MiB: what others have of it is cut off, at the begin, at the end or in the middle. */
static void set_part(struct fth_sim_held *held, uint32_t file, uint64_t from, uint64_t to,
                     struct fth_sim_chunk *chunk)
{
    struct fth_sim_holding **at = first_of(held, file, from);
    while (*at && end_of(*at) <= from)
        at = &(*at)->next;
    if (*at && (*at)->extent.offset < from) {
        if (end_of(*at) > to)
            insert(held, &(*at)->next, to, end_of(*at), (*at)->chunk);
        (*at)->extent.bytes = from - (*at)->extent.offset;
        at = &(*at)->next;
    }
    while (*at && end_of(*at) <= to)
        take_out(held, at);
    if (*at && (*at)->extent.offset < to) {
        (*at)->extent.bytes = end_of(*at) - to;
        (*at)->extent.offset = to;
    }
    if (chunk)
        insert(held, at, from, to, chunk);
}

/* Where the MiB of this byte ends, or `end`. */
static uint64_t part_end(uint64_t from, uint64_t end)
{
    uint64_t next = ((from >> SHIFT) + 1) << SHIFT;
    return next < end ? next : end;
}

void fth_sim_held_set(struct fth_sim_held *held, uint32_t file, struct fth_sim_extent extent,
                      struct fth_sim_chunk *chunk)
{
    uint64_t end = extent.offset + extent.bytes;
    for (uint64_t from = extent.offset, to; from < end; from = to) {
        to = part_end(from, end);
        set_part(held, file, from, to, chunk);
    }
}

void fth_sim_held_forget(struct fth_sim_held *held, uint32_t file, struct fth_sim_extent extent,
                         const struct fth_sim_chunk *chunk)
{
    uint64_t end = extent.offset + extent.bytes;
    for (uint64_t from = extent.offset; from < end; from = part_end(from, end)) {
        struct fth_sim_holding **at = first_of(held, file, from);
        while (*at) {
            if ((*at)->chunk == chunk)
                take_out(held, at);
            else
                at = &(*at)->next;
        }
    }
}

struct fth_sim_chunk *fth_sim_held_find(struct fth_sim_held *held, uint32_t file,
                                        struct fth_sim_extent extent, uint64_t *end)
{
    uint64_t from = extent.offset;
    *end = part_end(from, from + extent.bytes);
    const struct fth_sim_holding *at = *first_of(held, file, from);
    while (at && end_of(at) <= from)
        at = at->next;
    if (!at || at->extent.offset >= *end)
        return NULL;
    if (at->extent.offset > from) {
        *end = at->extent.offset;
        return NULL;
    }
    if (end_of(at) < *end)
        *end = end_of(at);
    return at->chunk;
}

void fth_sim_held_free(struct fth_sim_held *held)
{
    struct fth_sim_holding *next;
    for (uint32_t i = 0; i < fth_keyed_count(&held->firsts); i++)
        for (struct fth_sim_holding *at =
                 *(struct fth_sim_holding **)fth_keyed_item(&held->firsts, i);
             at; at = next) {
            next = at->next;
            free(at);
        }
    for (; held->free; held->free = next) {
        next = held->free->next;
        free(held->free);
    }
    fth_keyed_free(&held->firsts);
}
