/* Which slot a handle has: see places.h. */
#include "capture/follow/places.h"

#include "interpose/own/memory.h"

#include <string.h>

enum {
    PLACES = 1 << 15,
    MOST_USED = PLACES / 8 * 7, /* so that searches end */
    PROBES = 32,                /* of a search without the lock */
};

struct fth_slot_place {
    uint64_t handle;
    int32_t slot; /* + 1; 0: free */
};

static uint32_t home_of(uint64_t handle)
{
    return (uint32_t)(handle * 0x9E3779B97F4A7C15u >> 40) & (PLACES - 1);
}

bool fth_places_look(const struct fth_slot_places *places, uint64_t handle, int32_t *slot)
{
    uint32_t changes = __atomic_load_n(&places->changes, __ATOMIC_ACQUIRE), at = home_of(handle);
    const struct fth_slot_place *table = __atomic_load_n(&places->table, __ATOMIC_ACQUIRE);
    if (!table || changes & 1)
        return false;
    for (int probe = 0; probe < PROBES; probe++, at = (at + 1) & (PLACES - 1)) {
        int32_t found = __atomic_load_n(&table[at].slot, __ATOMIC_RELAXED);
        if (found && __atomic_load_n(&table[at].handle, __ATOMIC_RELAXED) != handle)
            continue;
        *slot = found ? found - 1 : FTH_SLOT_UNKNOWN;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        return __atomic_load_n(&places->changes, __ATOMIC_RELAXED) == changes;
    }
    return false;
}

/* ---- under the lock ---- */

/* The place of `handle`, or where it can go. */
static struct fth_slot_place *place_of(const struct fth_slot_places *places, uint64_t handle)
{
    uint32_t at = home_of(handle);
    while (places->table[at].slot && places->table[at].handle != handle)
        at = (at + 1) & (PLACES - 1);
    return &places->table[at];
}

int32_t fth_places_find(const struct fth_slot_places *places, uint64_t handle)
{
    struct fth_slot_place *place = places->table ? place_of(places, handle) : NULL;
    return place && place->slot ? place->slot - 1 : FTH_SLOT_UNKNOWN;
}

bool fth_places_have_room(struct fth_slot_places *places)
{
    if (!places->table)
        __atomic_store_n(&places->table, fth_map_memory(PLACES * sizeof *places->table),
                         __ATOMIC_RELEASE);
    return places->table && places->used < MOST_USED;
}

static void begin_change(struct fth_slot_places *places)
{
    __atomic_store_n(&places->changes, places->changes + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

static void end_change(struct fth_slot_places *places)
{
    __atomic_store_n(&places->changes, places->changes + 1, __ATOMIC_RELEASE);
}

static void write_place(struct fth_slot_place *place, uint64_t handle, int32_t slot)
{
    __atomic_store_n(&place->handle, handle, __ATOMIC_RELAXED);
    __atomic_store_n(&place->slot, slot, __ATOMIC_RELAXED);
}

void fth_places_set(struct fth_slot_places *places, uint64_t handle, int32_t slot)
{
    struct fth_slot_place *place = place_of(places, handle);
    places->used += place->slot == 0;
    begin_change(places);
    write_place(place, handle, slot + 1);
    end_change(places);
}

/* Places behind it move up where a search for them would end at the hole: searches stay short,
 * however many handles come and go. */
void fth_places_remove(struct fth_slot_places *places, uint64_t handle)
{
    const uint32_t mask = PLACES - 1;
    struct fth_slot_place *table = places->table, *place = place_of(places, handle);
    if (!place->slot)
        return;
    uint32_t hole = (uint32_t)(place - table);
    begin_change(places);
    for (uint32_t at = (hole + 1) & mask; table[at].slot; at = (at + 1) & mask) {
        uint32_t home = home_of(table[at].handle);
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        write_place(&table[hole], table[at].handle, table[at].slot);
        hole = at;
    }
    write_place(&table[hole], 0, 0);
    end_change(places);
    places->used--;
}

void fth_places_clear(struct fth_slot_places *places)
{
    begin_change(places);
    if (places->table)
        memset(places->table, 0, PLACES * sizeof *places->table);
    end_change(places);
    places->used = 0;
}

void fth_places_settle(struct fth_slot_places *places)
{
    places->changes += places->changes & 1;
}
