/* Threads of a process: who created which, who waited for its end, and which locks they took turns
 * with. */
#include "base/memory.h"
#include "order/build/feeder.h"

enum { MOST_SLOTS = 1 << 20 };

void fth_feeder_note_starter(struct fth_order_feeder *feeder)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    const struct fth_call *call = feeder->call;
    if (!call->starter || call->parent_thread == call->thread || call->parent == FTH_NO_CALL)
        return;
    if (!deeds->starters) {
        deeds->starters = fth_new(feeder->thread_count, sizeof *deeds->starters);
        for (uint32_t i = 0; i < feeder->thread_count; i++)
            deeds->starters[i].thread = FTH_NO_STRAND;
    }
    deeds->starters[call->thread] = (struct fth_order_starter){call->parent_thread, call->parent};
}

/* -1: not known. */
static int64_t slot_in(const struct fth_order_feeder *feeder, int parameter)
{
    const struct fth_value *value = fth_feeder_value(feeder, parameter);
    bool known = value && value->type == FTH_VALUE_HANDLE && value->integer >= 0 &&
                 value->integer < MOST_SLOTS;
    return known ? value->integer : -1;
}

void fth_feeder_thread(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       struct fth_event begin)
{
    int64_t slot = slot_in(feeder, sense->slot);
    struct fth_order_deed deed = fth_feeder_deed(feeder, sense, sense->deed, begin);
    uint32_t number = (uint32_t)feeder->deeds->deed_count;
    if (slot < 0)
        return;
    feeder->created =
        fth_reach(feeder->created, &feeder->created_room, (uint32_t)slot, sizeof *feeder->created);
    if (sense->deed == FTH_DEED_CREATE) {
        feeder->created[slot] = number + 1;
    } else if (!feeder->created[slot] || feeder->created[slot] > INT32_MAX) {
        return;
    } else {
        deed.peer = (int32_t)(feeder->created[slot] - 1);
        feeder->created[slot] = 0;
    }
    fth_feeder_complete(feeder, fth_order_deeds_add(feeder->deeds, deed));
}

/* ---- locks ---- */

static void add_lock(struct fth_order_feeder *feeder, uint32_t slot, uint32_t deed, bool acquired,
                     bool shared)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    FTH_GROW(deeds->locks, deeds->lock_count);
    deeds->locks[deeds->lock_count++] =
        (struct fth_order_lock){.to = 1,
                                .time = acquired ? feeder->call->end : feeder->call->start,
                                .file = slot,
                                .deed = deed,
                                .space = FTH_LOCK_OF_THREADS,
                                .acquired = acquired,
                                .shared = shared};
}

static void acquire(struct fth_order_feeder *feeder, uint32_t slot, uint32_t deed, bool shared)
{
    add_lock(feeder, slot, deed, true, shared);
    FTH_GROW(feeder->mutexes, feeder->mutex_count);
    feeder->mutexes[feeder->mutex_count++] =
        (struct fth_feeder_mutex){slot, feeder->thread, shared};
}

/* One that was acquired before the recording began counts as one that nobody else had. */
static void release(struct fth_order_feeder *feeder, uint32_t slot, uint32_t deed)
{
    bool shared = false;
    for (size_t i = feeder->mutex_count; i-- > 0;) {
        struct fth_feeder_mutex *held = &feeder->mutexes[i];
        if (held->slot != slot || held->thread != feeder->thread)
            continue;
        shared = held->shared;
        *held = feeder->mutexes[--feeder->mutex_count];
        break;
    }
    add_lock(feeder, slot, deed, false, shared);
}

void fth_feeder_mutex(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      struct fth_event begin)
{
    int64_t slot = slot_in(feeder, sense->slot);
    bool meets = sense->turn == FTH_TURN_MEET;
    if (slot < 0)
        return;
    struct fth_order_deed deed =
        fth_feeder_deed(feeder, sense, meets ? FTH_DEED_MEET : FTH_DEED_LOCK, begin);
    deed.peer = (int32_t)slot;
    deed.tag = feeder->call->result.type == FTH_VALUE_INTEGER && feeder->call->result.integer != 0;
    uint32_t number = fth_order_deeds_add(feeder->deeds, deed);
    fth_feeder_complete(feeder, number);
    if (meets) {
        struct fth_order_deeds *deeds = feeder->deeds;
        FTH_GROW(deeds->meetings, deeds->meeting_count);
        deeds->meetings[deeds->meeting_count++] =
            (struct fth_order_meeting){number, feeder->call->start, feeder->call->end};
    }
    if (sense->turn == FTH_TURN_RELEASE || sense->turn == FTH_TURN_REACQUIRE)
        release(feeder, (uint32_t)slot, number);
    if (sense->turn != FTH_TURN_RELEASE && !meets)
        acquire(feeder, (uint32_t)slot, number, sense->turn == FTH_TURN_ACQUIRE_SHARED);
}
