/* Which slots requests get. The smallest free one is a good name as long as requests end in the
 * order in which they were made, and the worst when they do not: the same receive has another slot
 * each time. So once arrays of requests are seen in which other slots stand than the last time, a
 * slot is owned by who has it: a function with its communicator, peer and tag, or a handle that
 * requests share. An owner gets its own slots back, others get none of these. Who comes only once
 * (a tag that counts up) owns nothing.
 *
 * Requests that have ended leave null handles in an array. Their places are kept as bits apart from
 * the list of slots, in which those stand that were there before: the list of an array stays the
 * same whatever has ended. */
#include "capture/mpi/mpi_requests.h"

#include "capture/follow/handle_slots.h"

#include "calls.h"
#include "interpose/own/own_memory.h"

enum {
    OWNED = 1024,  /* slots that can have owners */
    OWNERS = 1024, /* places of a table */
    WAYS = 4,      /* places side by side, in one of which an owner is */
    ARRAYS = 64,
    PATIENCE = 4, /* slots that are others than the last time, before owners count */
};

static struct fth_lock lock;
static bool out_of_order;
static unsigned changes;

/* The slots of one owner are a list; slot + 1, 0: none. */
static bool is_owned[OWNED];
static uint16_t next_of_owner[OWNED];
static struct owner {
    uint32_t name; /* 0: nobody */
    uint32_t came; /* when, the last time */
    uint16_t first;
} owners[OWNERS];
static uint32_t comings;

/* Arrays of requests that the program has passed lately. */
static struct array {
    const void *at;
    int64_t count;
    int32_t slots[FTH_REQUESTS_FOLLOWED];
} arrays[ARRAYS];

static bool is_free(int32_t slot)
{
    return fth_free_slot(FTH_CLASS_request, slot) == slot;
}

/* The smallest free slot that nobody owns. */
static int32_t find_any(void)
{
    int32_t slot = fth_free_slot(FTH_CLASS_request, 0);
    while (slot >= 0 && slot < OWNED && is_owned[slot])
        slot = fth_free_slot(FTH_CLASS_request, slot + 1);
    return slot;
}

/* One of the owner's that is free; -1: none is. */
static int32_t find_own(const struct owner *owner)
{
    int32_t slot = owner->first - 1;
    while (slot >= 0 && !is_free(slot))
        slot = next_of_owner[slot] - 1;
    return slot;
}

static void disown_slots(struct owner *owner)
{
    for (; owner->first; owner->first = next_of_owner[owner->first - 1])
        is_owned[owner->first - 1] = false;
}

/* Those without slots go first, and of these who did not come for longest. */
static bool goes_before(const struct owner *one, const struct owner *other)
{
    if (!one->first != !other->first)
        return !one->first;
    return one->came < other->came;
}

/* Owners that meet in a place must not forget each other by turns: what a receive is in the trace
 * would depend on numbers of functions. */
static struct owner *find_owner(uint32_t name, bool *came_before)
{
    struct owner *leaves = NULL;
    *came_before = true;
    for (unsigned way = 0; way < WAYS; way++) {
        struct owner *owner = &owners[((name >> 1) + way) % OWNERS];
        if (owner->name == name) {
            owner->came = ++comings;
            return owner;
        }
        if (!leaves || goes_before(owner, leaves))
            leaves = owner;
    }
    disown_slots(leaves);
    leaves->name = name;
    leaves->came = ++comings;
    *came_before = false;
    return leaves;
}

static int32_t choose(struct owner *owner, bool may_own)
{
    int32_t own = find_own(owner), slot = own >= 0 ? own : find_any();
    if (own < 0 && may_own && slot >= 0 && slot < OWNED) {
        is_owned[slot] = true;
        next_of_owner[slot] = owner->first;
        owner->first = (uint16_t)(slot + 1);
    }
    return slot;
}

int32_t fth_requests_choose(uint32_t name)
{
    bool came_before;
    fth_lock(&lock);
    struct owner *owner = find_owner(name, &came_before);
    int32_t slot = out_of_order ? choose(owner, came_before) : -1;
    fth_unlock(&lock);
    return slot;
}

uint64_t fth_requests_seen(const void *at, int32_t *slots, int64_t count)
{
    uint64_t nulls = 0;
    if (count < 1 || count > FTH_REQUESTS_FOLLOWED)
        return 0;
    fth_lock(&lock);
    struct array *array = &arrays[((uintptr_t)at >> 3 ^ (uintptr_t)at >> 9) % ARRAYS];
    if (array->at != at || array->count != count) {
        array->at = at;
        array->count = count;
        for (int64_t i = 0; i < count; i++)
            array->slots[i] = FTH_SLOT_NONE;
    }
    for (int64_t i = 0; i < count; i++) {
        int32_t *before = &array->slots[i];
        if (slots[i] == FTH_SLOT_NONE && *before >= 0) {
            nulls |= UINT64_C(1) << i;
            slots[i] = *before;
        }
        changes += *before >= 0 && slots[i] != *before;
        *before = slots[i];
    }
    out_of_order = out_of_order || changes >= PATIENCE;
    fth_unlock(&lock);
    return nulls;
}
