/* Tables of what a stream has defined: how they grow, and how far. What has no room in them is
 * defined once more, so they are as large as all tables of a process may be. */
#include "capture/record/known_definitions.h"

#include "interpose/own/own_memory.h"

#include <string.h>

enum { MOST_BYTES = 12 << 20 }; /* that all tables of this process have grown by */
_Static_assert(FTH_KNOWN_MOST <= 1 << 16, "a number in 16 bits");

static size_t grown_bytes;

/* Three things for four places of the index, which take as much as a fourth. */
static size_t bytes_of(uint32_t places)
{
    return places * sizeof(struct fth_known_thing);
}

static uint32_t places_of(const struct fth_known *known)
{
    return known->mask + 1;
}

static uint32_t *index_of(struct fth_known_thing *things, uint32_t places)
{
    return (uint32_t *)(things + places / 4 * 3);
}

/* That it may hold; behind them there is FTH_KNOWN_SPARE. */
static uint32_t room_in(uint32_t places)
{
    return places / 4 * 3 - FTH_KNOWN_SPARE;
}

static void arrange(struct fth_known *known, struct fth_known_thing *things, uint32_t places)
{
    known->things = things;
    known->index = index_of(things, places);
    known->mask = places - 1;
    known->most = room_in(places) - FTH_KNOWN_AWAITED;
}

void fth_known_end_soon(struct fth_known *known, bool is_soon)
{
    known->most = is_soon ? 0 : room_in(places_of(known)) - FTH_KNOWN_AWAITED;
}

bool fth_known_has_room(const struct fth_known *known)
{
    return known->count < room_in(places_of(known));
}

void fth_known_begin(struct fth_known *known)
{
    arrange(known, known->first, FTH_KNOWN_FIRST);
}

static void give_back(struct fth_known_thing *things, size_t bytes)
{
    fth_unmap(things, bytes);
    __atomic_fetch_sub(&grown_bytes, bytes, __ATOMIC_RELAXED);
}

static struct fth_known_thing *take(size_t bytes)
{
    size_t all = __atomic_add_fetch(&grown_bytes, bytes, __ATOMIC_RELAXED);
    struct fth_known_thing *things = all <= MOST_BYTES ? fth_map_memory(bytes) : NULL;
    if (!things)
        __atomic_fetch_sub(&grown_bytes, bytes, __ATOMIC_RELAXED);
    return things;
}

static void copy(const struct fth_known *known, struct fth_known_thing *to, uint32_t places)
{
    uint32_t *index = index_of(to, places);
    memcpy(to, known->things, ((size_t)known->count + 1) * sizeof *to);
    for (uint32_t number = 1; number <= known->count; number++) {
        uint32_t at = (uint32_t)to[number].hash & (places - 1);
        while (index[at])
            at = (at + 1) & (places - 1);
        index[at] = fth_known_tag(to[number].hash) | number;
    }
}

bool fth_known_grow(struct fth_known *known)
{
    enum { FACTOR = 4 };
    struct fth_known_thing *before = known->things;
    uint32_t places = places_of(known);
    if (places >= FTH_KNOWN_MOST)
        return false;
    struct fth_known_thing *things = take(bytes_of(places * FACTOR));
    if (!things)
        return false;
    copy(known, things, places * FACTOR);
    arrange(known, things, places * FACTOR);
    if (before != known->first)
        give_back(before, bytes_of(places));
    return true;
}

void fth_known_forget(struct fth_known *known)
{
    memset(known->things, 0, bytes_of(places_of(known)));
    known->count = known->last = 0;
}

void fth_known_end(struct fth_known *known)
{
    struct fth_known_thing *things = known->things;
    uint32_t places = places_of(known);
    fth_known_begin(known);
    known->count = known->last = 0;
    if (things != known->first)
        give_back(things, bytes_of(places));
}

void fth_known_in_child(void)
{
    grown_bytes = 0;
}
