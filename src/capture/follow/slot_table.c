/* Which slot a handle has: see slot_table.h. */
#include "capture/follow/slot_table.h"

#include "interpose/own/own_memory.h"

#include <string.h>

enum {
    PLACES = FTH_PLACES,
    MOST_USED = PLACES / 8 * 7, /* so that searches end */
    PROBES = 32,                /* of a search without the lock */
    NUMBER = FTH_PLACES_NUMBER,
    INDEX_BYTES = PLACES * sizeof(uint32_t),
    HANDLE_BYTES = PLACES * sizeof(uint64_t),
    PAGE = 4096,
    LINE = 64, /* bytes of the cache */
};

static uint32_t home_of(uint32_t key)
{
    return key & (PLACES - 1);
}

static uint32_t entry_of(uint32_t key, uint32_t number)
{
    return key << 16 | (number + 1);
}

bool fth_places_look(const struct fth_slot_places *places, uint64_t handle, int32_t *slot)
{
    uint32_t changes = __atomic_load_n(&places->changes, __ATOMIC_ACQUIRE);
    uint32_t key = fth_places_key(handle);
    const uint32_t *index = __atomic_load_n(&places->index, __ATOMIC_ACQUIRE);
    if (!index || changes & 1)
        return false;
    for (uint32_t at = home_of(key), end = at + PROBES; at < end; at++) {
        uint32_t entry = __atomic_load_n(&index[home_of(at)], __ATOMIC_RELAXED);
        if (entry && !fth_places_is(places, entry, key, handle))
            continue;
        *slot = entry ? fth_places_slot(entry) : FTH_SLOT_UNKNOWN;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        return __atomic_load_n(&places->changes, __ATOMIC_RELAXED) == changes;
    }
    return false;
}

/* ---- under the lock ---- */

/* Where it is in the index, or can go. */
static uint32_t place_of(const struct fth_slot_places *places, uint64_t handle)
{
    uint32_t key = fth_places_key(handle), at = home_of(key), entry;
    while ((entry = places->index[at]) && !fth_places_is(places, entry, key, handle))
        at = (at + 1) & (PLACES - 1);
    return at;
}

int32_t fth_places_find(const struct fth_slot_places *places, uint64_t handle)
{
    uint32_t entry = places->index ? places->index[place_of(places, handle)] : 0;
    return entry ? fth_places_slot(entry) : FTH_SLOT_UNKNOWN;
}

/* The handles with the first numbers are those that calls ask for most. At the start of a page they
 * would be where those of other tables are, and all of these would take each other's places in the
 * first-level cache, which go by the place in a page. */
static uint64_t *map_handles(const struct fth_slot_places *places)
{
    char *memory = fth_map_memory(PAGE + HANDLE_BYTES + INDEX_BYTES);
    return memory ? (uint64_t *)(memory + (uintptr_t)places % PAGE / LINE * LINE) : NULL;
}

bool fth_places_have_room(struct fth_slot_places *places)
{
    if (!places->handles)
        places->handles = map_handles(places);
    if (places->handles && !places->index)
        __atomic_store_n(&places->index, (uint32_t *)(places->handles + PLACES), __ATOMIC_RELEASE);
    bool has_number = places->free || places->left_out < PLACES - FTH_SLOTS;
    return places->index && places->used < MOST_USED && has_number;
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

static void set_entry(struct fth_slot_places *places, uint32_t at, uint32_t entry)
{
    __atomic_store_n(&places->index[at], entry, __ATOMIC_RELAXED);
}

/* A handle that is left out has no slot, and gets a number behind all of them. Those that are free
 * again hold the one that became free before. */
static uint32_t take_number(struct fth_slot_places *places)
{
    if (!places->free)
        return FTH_SLOTS + places->left_out++;
    uint32_t number = places->free - 1;
    places->free = (uint32_t)places->handles[number];
    return number;
}

static void give_number(struct fth_slot_places *places, uint32_t number)
{
    if (number < FTH_SLOTS)
        return;
    __atomic_store_n(&places->handles[number], places->free, __ATOMIC_RELAXED);
    places->free = number + 1;
}

void fth_places_set(struct fth_slot_places *places, uint64_t handle, int32_t slot)
{
    uint32_t at = place_of(places, handle), entry = places->index[at];
    begin_change(places);
    if (entry)
        give_number(places, (entry & NUMBER) - 1);
    else
        places->used++;
    uint32_t number = slot < 0 ? take_number(places) : (uint32_t)slot;
    __atomic_store_n(&places->handles[number], handle, __ATOMIC_RELAXED);
    set_entry(places, at, entry_of(fth_places_key(handle), number));
    end_change(places);
}

/* Entries behind it move up where a search for them would end at the hole: searches stay short,
 * however many handles come and go. */
int32_t fth_places_remove(struct fth_slot_places *places, uint64_t handle)
{
    const uint32_t mask = PLACES - 1;
    uint32_t *index = places->index, hole = index ? place_of(places, handle) : 0;
    uint32_t entry = index ? index[hole] : 0;
    if (!entry)
        return FTH_SLOT_UNKNOWN;
    begin_change(places);
    for (uint32_t at = (hole + 1) & mask; index[at]; at = (at + 1) & mask) {
        uint32_t home = home_of(index[at] >> 16);
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        set_entry(places, hole, index[at]);
        hole = at;
    }
    set_entry(places, hole, 0);
    give_number(places, (entry & NUMBER) - 1);
    end_change(places);
    places->used--;
    return fth_places_slot(entry);
}

void fth_places_clear(struct fth_slot_places *places)
{
    begin_change(places);
    if (places->index)
        memset(places->handles, 0, HANDLE_BYTES + INDEX_BYTES);
    end_change(places);
    places->used = places->left_out = places->free = 0;
}

void fth_places_settle(struct fth_slot_places *places)
{
    if (places->changes & 1) /* else the page stays the parent's, too */
        places->changes++;
}
