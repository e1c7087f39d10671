/* What else may order the calls of a process: its threads, where nothing was recorded of how they
 * wait for each other, and what it shares with other processes. For that there are more events than
 * calls make: before an access, and behind it. Only who asks what may have come before has them. */
#include "base/memory.h"
#include "order/build/feeder.h"

static void pool(struct fth_order_feeder *feeder, struct fth_event event, bool tells)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    FTH_GROW(deeds->pool, deeds->pool_count);
    deeds->pool[deeds->pool_count++] = (struct fth_order_pooled){event, tells};
    feeder->told_count += tells;
}

void fth_feeder_did(struct fth_order_feeder *feeder, uint32_t number)
{
    struct fth_feeder_thread *thread = &feeder->threads[number];
    if (!feeder->pools || thread->dirty)
        return;
    thread->dirty = true;
    FTH_GROW(feeder->dirty, feeder->dirty_count);
    feeder->dirty[feeder->dirty_count++] = number;
}

/* What other threads have done goes into the pool. */
static void gather(struct fth_order_feeder *feeder, uint32_t but)
{
    size_t kept = 0;
    for (size_t i = 0; i < feeder->dirty_count; i++) {
        uint32_t number = feeder->dirty[i];
        struct fth_feeder_thread *thread = &feeder->threads[number];
        if (number == but) {
            feeder->dirty[kept++] = number;
            continue;
        }
        if (thread->marked)
            fth_feeder_next_event(feeder, number);
        pool(feeder, (struct fth_event){feeder->deeds->first_strand + number, thread->steps - 1},
             true);
        thread->dirty = false;
    }
    feeder->dirty_count = kept;
}

static bool knows_all(const struct fth_order_feeder *feeder, uint32_t number)
{
    bool others = feeder->dirty_count > feeder->threads[number].dirty;
    return !others && feeder->threads[number].taken == feeder->told_count;
}

void fth_feeder_depends(struct fth_order_feeder *feeder, uint32_t number, struct fth_event event)
{
    if (!feeder->pools || knows_all(feeder, number))
        return;
    gather(feeder, number);
    pool(feeder, event, false);
    feeder->threads[number].taken = feeder->told_count;
}

static void touch(struct fth_order_feeder *feeder, uint32_t number, int64_t time, bool tells)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    struct fth_event event = fth_feeder_next_event(feeder, number);
    FTH_GROW(deeds->touches, deeds->touch_count);
    deeds->touches[deeds->touch_count++] = (struct fth_order_touch){event, time, tells};
}

void fth_feeder_before_moment(struct fth_order_feeder *feeder)
{
    uint32_t number = feeder->thread;
    if (feeder->shares)
        touch(feeder, number, feeder->call->start, false);
    if (feeder->pools && !knows_all(feeder, number))
        fth_feeder_depends(feeder, number, fth_feeder_next_event(feeder, number));
    feeder->threads[number].marked = true;
    fth_feeder_did(feeder, number);
}

void fth_feeder_behind_moment(struct fth_order_feeder *feeder, uint32_t number, int64_t time)
{
    feeder->threads[number].marked = true;
    if (feeder->shares)
        touch(feeder, number, time, true);
    fth_feeder_did(feeder, number);
}

void fth_feeder_remote(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       struct fth_event begin)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    struct fth_order_deed deed = fth_feeder_deed(feeder, sense, FTH_DEED_REMOTE, begin);
    deed.member = fth_feeder_member(feeder, sense->object, false);
    uint32_t number = fth_order_deeds_add(deeds, deed);
    fth_feeder_complete(feeder, number);
    FTH_GROW(deeds->remotes, deeds->remote_count);
    deeds->remotes[deeds->remote_count++] =
        (struct fth_order_remote){number, feeder->call->start, feeder->call->end};
}
