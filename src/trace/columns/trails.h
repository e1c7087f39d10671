/* Values that go by steps: a tag that counts up, an offset of one of several streams that take
 * turns on one handle. What is kept of such a value is how far it is from where one of its *trails*
 * stood last, and which one that was; the trail then stands there. A thread has eight trails for
 * each function, value and handle, in a table that the recorder and the reader keep in the same way
 * (docs/format.md). */
#ifndef FTH_TRACE_COLUMNS_TRAILS_H
#define FTH_TRACE_COLUMNS_TRAILS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    FTH_TRAILS = 8, /* of a value */
    FTH_TRAIL_SETS = 256,
    FTH_TRAIL_SLOTS = 256, /* of a class, that have a cursor */
    FTH_TRAIL_FUNCTION_BITS = 16,
    FTH_TRAIL_VALUE_BITS = 5,
};

struct fth_trail_set {
    uint32_t key;          /* 0: free */
    uint32_t handle_class; /* of the slot, as who keeps the table numbers classes */
    int64_t last[FTH_TRAILS];
};

/* All zero at first. */
struct fth_trails {
    struct fth_trail_set sets[FTH_TRAIL_SETS];
    uint64_t slots[FTH_TRAIL_SLOTS / 64]; /* bits of those that sets are of, of whatever class */
    bool used;
};

/* `slot`: of the handle whose cursor the call has, -1 when it has none. */
static inline uint32_t fth_trail_key(uint32_t function, uint32_t value, int32_t slot)
{
    return (((uint32_t)(slot + 1) << FTH_TRAIL_VALUE_BITS | value) << FTH_TRAIL_FUNCTION_BITS |
            function) +
           1;
}

static inline int32_t fth_trail_slot(uint32_t key)
{
    return (int32_t)((key - 1) >> (FTH_TRAIL_VALUE_BITS + FTH_TRAIL_FUNCTION_BITS)) - 1;
}

static inline uint32_t fth_trail_place(uint32_t key)
{
    return key * 0x9E3779B1u >> 24;
}
_Static_assert(FTH_TRAIL_SETS == 1 << 8, "the place of a key");

/* The trails with this key; those that had their place before are forgotten. */
static inline int64_t *fth_trails_of(struct fth_trails *trails, uint32_t key, uint32_t handle_class)
{
    struct fth_trail_set *set = &trails->sets[fth_trail_place(key)];
    if (set->key != key) {
        int32_t slot = fth_trail_slot(key);
        *set = (struct fth_trail_set){.key = key, .handle_class = handle_class};
        trails->used = true;
        if (slot >= 0)
            trails->slots[slot / 64 % (FTH_TRAIL_SLOTS / 64)] |= UINT64_C(1) << slot % 64;
    }
    return set->last;
}

/* The slot is bound anew: what went before was another file. Of most slots there is no set. */
static inline void fth_trails_forget(struct fth_trails *trails, uint32_t handle_class, int32_t slot)
{
    if (slot < 0 || slot >= FTH_TRAIL_SLOTS || !(trails->slots[slot / 64] >> slot % 64 & 1))
        return;
    trails->slots[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    for (int i = 0; i < FTH_TRAIL_SETS; i++) {
        struct fth_trail_set *set = &trails->sets[i];
        if (!set->key || fth_trail_slot(set->key) != slot)
            continue;
        if (set->handle_class == handle_class)
            set->key = 0;
        else
            trails->slots[slot / 64] |= UINT64_C(1) << slot % 64;
    }
}

/* What is kept of a value: the step from trail `number`, in the same integer. Steps that do not fit
 * are not kept so. */
static inline bool fth_step_fits(int64_t step)
{
    return step >= -(INT64_C(1) << 59) && step < INT64_C(1) << 59;
}

static inline int64_t fth_step_pack(int64_t step, unsigned number)
{
    return step * FTH_TRAILS + (int64_t)number;
}

/* The value, from what was kept of it; its trail stands there then. */
static inline int64_t fth_step_take(int64_t trails[FTH_TRAILS], int64_t kept)
{
    int64_t *last = &trails[kept & (FTH_TRAILS - 1)];
    return *last = (int64_t)((uint64_t)*last + (uint64_t)(kept >> 3));
}
_Static_assert(FTH_TRAILS == 1 << 3, "steps are shifted by 3");

#endif
