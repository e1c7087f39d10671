/* Which slot a handle has: a table of handles that are addresses or a library's integers. It
 * changes under its owner's lock, and is read without it as long as it does not.
 *
 * Programs have thousands of handles at a time, make them one after the other and give them up in
 * some such order. So what lies near in the address space lies near in the index, and handles lie
 * in order of their slots: a walk through them touches few pages, in order. */
#ifndef FTH_CAPTURE_FOLLOW_SLOT_TABLE_H
#define FTH_CAPTURE_FOLLOW_SLOT_TABLE_H

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

/* Without the lock. False: somebody changes the table, or the search is long. FTH_SLOT_UNKNOWN: it
 * has none; FTH_EXCLUDED. */
bool fth_places_look(const struct fth_slot_places *places, uint64_t handle, int32_t *slot);

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
