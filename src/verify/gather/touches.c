/* Which calls depend on the name or the size of a file: each time that one touches it. */
#include "verify/gather/gather.h"

#include "base/memory.h"

#include <string.h>

static bool is_together(const struct fth_access_thread *thread, uint32_t depth)
{
    for (uint32_t i = depth; i-- > 0;)
        if (thread->stack[i].file)
            return thread->stack[i].function->collective;
    return false;
}

static bool are_alike(const struct fth_touch *a, const struct fth_touch *b)
{
    return a->name == b->name && a->kind == b->kind && a->chain == b->chain &&
           a->thread == b->thread && a->moment.step == b->moment.step &&
           a->is_there == b->is_there && a->is_missing == b->is_missing && a->cuts == b->cuts &&
           a->extent == b->extent;
}

size_t fth_gather_touch(struct fth_gathering *gather, struct fth_access_thread *thread,
                        const struct fth_call *call, struct fth_touch touch)
{
    struct fth_run_accesses *accesses = gather->accesses;
    touch.proc = (uint32_t)gather->proc;
    touch.thread = call->thread;
    touch.chain = fth_gather_chain(gather, thread, call->depth);
    touch.together = is_together(thread, call->depth);
    touch.moment = fth_order_here(gather->builder);
    touch.times = 1;
    touch.call = call->number;
    touch.start = call->start;
    touch.end = call->end;
    struct fth_touch *last =
        accesses->touch_count ? &accesses->touches[accesses->touch_count - 1] : NULL;
    if (last && are_alike(last, &touch)) {
        last->times += touch.kind != FTH_TOUCH_LIST; /* a folder is listed by several calls */
        return accesses->touch_count - 1;
    }
    FTH_GROW(accesses->touches, accesses->touch_count);
    accesses->touches[accesses->touch_count] = touch;
    return accesses->touch_count++;
}
