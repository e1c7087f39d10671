/* Calls that come again in rounds (fth_order_takes_rounds): what a round does is what the one
 * before it did, as many events and operations later. */
#include "order/build/builder.h"

enum { ROOM = 1 << 16 /* events and operations of the rounds that come at once, far fewer */ };

/* Before the call that was fed so many calls ago, from 1. */
static struct fth_builder_mark *mark_ago(struct fth_order_builder *builder, uint32_t ago)
{
    return &builder->rounds.marks[(builder->rounds.count - ago) % FTH_BUILDER_MARKS];
}

bool fth_order_keeps_for_rounds(const struct fth_order_builder *builder)
{
    const struct fth_order_semantics *semantics =
        fth_order_semantics(builder->semantics_table, builder->call->function);
    if (!fth_order_takes_each(builder))
        return true;
    if (builder->listed || !semantics || builder->possible.watches || builder->possible.pools ||
        builder->possible.shares)
        return false;
    return (semantics->what == FTH_ORDERS_MESSAGE && semantics->message.used < 0 &&
            semantics->message.matched < 0) ||
           (semantics->what == FTH_ORDERS_COLLECTIVE && semantics->made < 0 &&
            !semantics->persistent && !semantics->collective.gives_up) ||
           semantics->what == FTH_ORDERS_COMPLETION;
}

static bool is_later_by(struct fth_event event, struct fth_event before, uint32_t steps)
{
    return event.timeline == before.timeline && event.step - before.step == steps;
}

/* Both are over, and the second one is the first one in the next round. */
static bool is_same(const struct fth_order_operation *operation,
                    const struct fth_order_operation *before, uint32_t steps, uint32_t period)
{
    return (operation->kind == FTH_SYNC_SEND || operation->kind == FTH_SYNC_RECEIVE ||
            operation->kind == FTH_SYNC_PROBE || operation->kind == FTH_SYNC_COLLECTIVE) &&
           operation->flags & FTH_SYNC_COMPLETED &&
           is_later_by(operation->begin, before->begin, steps) &&
           is_later_by(operation->end, before->end, steps) &&
           operation->end.step - operation->begin.step < steps &&
           operation->call - before->call == period && operation->member == before->member &&
           operation->peer == before->peer && operation->tag == before->tag &&
           operation->function == before->function && operation->kind == before->kind &&
           operation->flags == before->flags && operation->bytes == before->bytes;
}

static bool has_room(const struct fth_order_builder *builder)
{
    uint32_t thread = builder->rounds.thread;
    return builder->threads[thread].steps < UINT32_MAX - ROOM &&
           builder->operations->operation_count < UINT32_MAX - ROOM;
}

bool fth_order_takes_rounds(struct fth_order_builder *builder, uint32_t period)
{
    if (period == builder->rounds.period)
        return has_room(builder);
    if (!period || 2 * period > FTH_BUILDER_MARKS || builder->rounds.count < 2 * period)
        return false;
    uint32_t thread = mark_ago(builder, 1)->thread;
    fth_builder_leave_all(builder, thread);
    const struct fth_builder_mark *last = mark_ago(builder, period),
                                  *first = mark_ago(builder, 2 * period);
    uint32_t now = (uint32_t)builder->operations->operation_count, count = now - last->operations,
             steps = builder->threads[thread].steps - last->steps;
    for (uint32_t ago = 1; ago <= 2 * period; ago++)
        if (mark_ago(builder, ago)->thread != thread)
            return false;
    if (last->operations - first->operations != count || last->steps - first->steps != steps)
        return false;
    for (uint32_t i = now - count; i < now; i++) {
        struct fth_order_operation operation = fth_order_operation(builder->operations, i),
                                   before = fth_order_operation(builder->operations, i - count);
        if (!is_same(&operation, &before, steps, period))
            return false;
    }
    builder->rounds.thread = thread;
    builder->rounds.period = period;
    builder->rounds.operations = count;
    builder->rounds.steps = steps;
    return has_room(builder);
}

/* What the last round did, once more. */
static void repeat(struct fth_order_builder *builder)
{
    struct fth_order_operations *operations = builder->operations;
    uint32_t count = builder->rounds.operations;
    for (uint32_t i = 0; i < count; i++) {
        struct fth_order_operation operation =
            fth_order_operation(operations, (uint32_t)operations->operation_count - count);
        operation.begin.step += builder->rounds.steps;
        operation.end.step += builder->rounds.steps;
        operation.call += builder->rounds.period;
        uint32_t number = fth_order_operations_add(operations, operation);
        if (operation.kind == FTH_SYNC_COLLECTIVE)
            fth_order_operations_chain(operations, number);
    }
    builder->threads[builder->rounds.thread].steps += builder->rounds.steps;
}

void fth_order_go_round(struct fth_order_builder *builder, uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++)
        repeat(builder);
    for (uint32_t i = 0; i < FTH_BUILDER_MARKS; i++) {
        builder->rounds.marks[i].operations += rounds * builder->rounds.operations;
        builder->rounds.marks[i].steps += rounds * builder->rounds.steps;
    }
}
