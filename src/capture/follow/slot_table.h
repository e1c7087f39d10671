/* Which slot a handle has: a table of handles that are addresses or a library's integers. It
 * changes under its owner's lock, and is read without it as long as it does not.
 *
 * Programs have thousands of handles at a time, make them one after the other and give them up in
 * some such order. So what lies near in the address space lies near in the index, and handles lie
 * in order of their slots: a walk through them touches few pages, in order. */
#ifndef FTH_CAPTURE_FOLLOW_SLOT_TABLE_H
#define FTH_CAPTURE_FOLLOW_SLOT_TABLE_H

#include "capture/follow/handle_slots.h"
#include "capture/record/runtime.h"

struct fth_slot_places {
    uint32_t *index;   /* by handle: 16 bits of it, and the number of its place + 1; 0: free */
    uint64_t *handles; /* by number: the slot, or a number of its own where there is none */
    uint32_t used;
    uint32_t changes; /* odd while one is going on */
    /* of handles that are left out: so many have had numbers, and the last one that is free again,
     * + 1 */
    uint32_t left_out, free;
};

enum {
    FTH_PLACES = 1 << 15,
    FTH_PLACES_NUMBER = (1 << 16) - 1, /* bits of an entry of the index */
};

/* Objects of one kind lie 16 bytes or more apart, numbers of a library one; what lies half a
 * megabyte apart, as memory from mmap may, must not meet. */
static inline uint32_t fth_places_key(uint64_t handle)
{
    uint64_t far = (handle >> 19) * 0x9E3779B97F4A7C15u;
    uint32_t near = (uint32_t)(handle >> 4) + ((uint32_t)handle & 15) * (FTH_PLACES / 16);
    return near + (uint32_t)(far >> 40);
}

static inline int32_t fth_places_slot(uint32_t entry)
{
    uint32_t number = (entry & FTH_PLACES_NUMBER) - 1;
    return number < FTH_SLOTS ? (int32_t)number : FTH_EXCLUDED;
}

/* Is this entry of the index, which is not free, that of the handle? */
static inline bool fth_places_is(const struct fth_slot_places *places, uint32_t entry, uint32_t key,
                                 uint64_t handle)
{
    return (entry ^ key << 16) <= FTH_PLACES_NUMBER &&
           __atomic_load_n(&places->handles[(entry & FTH_PLACES_NUMBER) - 1], __ATOMIC_RELAXED) ==
               handle;
}

/* Without the lock. False: somebody changes the table, or the search is long. FTH_SLOT_UNKNOWN: it
 * has none; FTH_EXCLUDED. */
bool fth_places_look(const struct fth_slot_places *places, uint64_t handle, int32_t *slot);

/* The same, only at the first place where it may be: most are there. */
static inline bool fth_places_look_first(const struct fth_slot_places *places, uint64_t handle,
                                         int32_t *slot)
{
    uint32_t changes = __atomic_load_n(&places->changes, __ATOMIC_ACQUIRE);
    const uint32_t *index = __atomic_load_n(&places->index, __ATOMIC_ACQUIRE);
    if (FTH_UNLIKELY(!index || changes & 1))
        return false;
    uint32_t key = fth_places_key(handle);
    uint32_t entry = __atomic_load_n(&index[key & (FTH_PLACES - 1)], __ATOMIC_RELAXED);
    if (FTH_UNLIKELY(!entry || !fth_places_is(places, entry, key, handle)))
        return false;
    *slot = fth_places_slot(entry);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&places->changes, __ATOMIC_RELAXED) == changes;
}

/* Under the lock. */
int32_t fth_places_find(const struct fth_slot_places *places, uint64_t handle);
/* Is there room for one more? */
bool fth_places_have_room(struct fth_slot_places *places);
void fth_places_set(struct fth_slot_places *places, uint64_t handle, int32_t slot);
/* Returns the slot that it had. */
int32_t fth_places_remove(struct fth_slot_places *places, uint64_t handle);
void fth_places_clear(struct fth_slot_places *places);
/* In a forked child: another thread may have been at it. */
void fth_places_settle(struct fth_slot_places *places);

#endif
