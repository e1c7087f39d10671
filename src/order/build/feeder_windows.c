/* Epochs of windows: between some of their members (start, complete, post, wait), and under locks
 * (lock, unlock). */
#include "base/memory.h"
#include "order/build/feeder.h"

#include <string.h>

static void note_reach(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       uint32_t window, struct fth_event begin)
{
    struct fth_member *member = &feeder->deeds->members[window];
    bool reaches = sense->deed == FTH_DEED_START || sense->deed == FTH_DEED_COMPLETE;
    uint32_t *open = reaches ? &member->reached : &member->exposed;
    if (sense->deed == FTH_DEED_START || sense->deed == FTH_DEED_POST) {
        uint32_t node = fth_feeder_node(feeder, sense->groups[0]);
        *open = node < INT32_MAX ? node + 1 : INT32_MAX;
        return;
    }
    if (!*open)
        return;
    struct fth_order_deed deed = fth_feeder_deed(feeder, sense, sense->deed, begin);
    deed.member = window;
    deed.peer = (int32_t)(*open - 1);
    *open = 0;
    fth_feeder_complete(feeder, fth_order_deeds_add(feeder->deeds, deed));
}

/* ---- locks ---- */

static bool is_exclusive(const struct fth_order_feeder *feeder, const struct fth_order_sense *sense)
{
    const struct fth_value *type = fth_feeder_value(feeder, sense->lock_type);
    return type && type->text && strcmp(type->text, "MPI_LOCK_EXCLUSIVE") == 0;
}

/* Of which ranks: one, or all. */
static bool targets_of(const struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       struct fth_order_lock *lock)
{
    int64_t rank = fth_feeder_integer(feeder, sense->peers[0], -1);
    if (sense->peers[0] >= 0 && rank < 0)
        return false;
    lock->from = sense->peers[0] >= 0 ? (uint64_t)rank : 0;
    lock->to = sense->peers[0] >= 0 ? (uint64_t)rank + 1 : UINT64_MAX;
    return true;
}

static void begin_locked(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                         struct fth_order_lock lock)
{
    lock.shared = sense->lock_type < 0 || !is_exclusive(feeder, sense);
    FTH_GROW(feeder->epochs, feeder->epoch_count);
    feeder->epochs[feeder->epoch_count++] = lock;
}

/* MPI_Win_lock may return before the lock is held, so all that is certain is when the epoch was
 * over: it was held at some time before its unlock returned, and not given up before that was
 * called. So an epoch came after those that conflict with it whose unlock had returned when its own
 * was called; and that is known to whoever's unlock has returned. */
static void end_locked(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       struct fth_order_lock lock, struct fth_event begin)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    size_t at = 0;
    while (at < feeder->epoch_count &&
           (feeder->epochs[at].file != lock.file || feeder->epochs[at].from != lock.from ||
            feeder->epochs[at].to != lock.to))
        at++;
    if (at == feeder->epoch_count)
        return;
    lock = feeder->epochs[at];
    feeder->epochs[at] = feeder->epochs[--feeder->epoch_count];
    struct fth_order_deed deed = fth_feeder_deed(feeder, sense, FTH_DEED_LOCK, begin);
    deed.member = lock.file;
    lock.deed = fth_order_deeds_add(deeds, deed);
    fth_feeder_complete(feeder, lock.deed);
    for (int released = 0; released < 2; released++) {
        lock.acquired = !released;
        lock.time = released ? feeder->call->end : feeder->call->start;
        FTH_GROW(deeds->locks, deeds->lock_count);
        deeds->locks[deeds->lock_count++] = lock;
    }
}

void fth_feeder_epoch(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      struct fth_event begin)
{
    uint32_t window = fth_feeder_member(feeder, sense->object, false);
    struct fth_order_lock lock = {.file = window, .space = FTH_LOCK_OF_WINDOW};
    if (window == FTH_NO_MEMBER ||
        (sense->out_count > 0 && fth_feeder_integer(feeder, sense->outs[0], 1) == 0))
        return; /* a test that found it open */
    if (sense->deed != FTH_DEED_LOCK)
        note_reach(feeder, sense, window, begin);
    else if (!targets_of(feeder, sense, &lock))
        return;
    else if (sense->unlocks)
        end_locked(feeder, sense, lock, begin);
    else
        begin_locked(feeder, sense, lock);
}
