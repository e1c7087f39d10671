/* Threads of a process: who created which, who waited for its end, and which locks they took turns
 * with. */
#include "base/memory.h"
#include "order/build/builder.h"
#include "trace/record/builtin.h"

enum { MOST_SLOTS = 1 << 20 };

void fth_builder_note_starter(struct fth_order_builder *builder)
{
    struct fth_order_operations *operations = builder->operations;
    const struct fth_call *call = builder->call;
    builder->threads[call->thread].of_library =
        call->starter &&
        fth_layer_is(call->starter->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER);
    if (!call->starter || call->parent_thread == call->thread || call->parent == FTH_NO_CALL)
        return;
    if (!operations->starters) {
        operations->starters = fth_new(builder->thread_count, sizeof *operations->starters);
        for (uint32_t i = 0; i < builder->thread_count; i++)
            operations->starters[i].thread = FTH_NO_TIMELINE;
    }
    operations->starters[call->thread] =
        (struct fth_order_starter){call->parent_thread, call->parent};
}

/* -1: not known. */
static int64_t slot_in(const struct fth_order_builder *builder, int parameter)
{
    const struct fth_value *value = fth_builder_value(builder, parameter);
    bool known = value && value->type == FTH_VALUE_HANDLE && value->integer >= 0 &&
                 value->integer < MOST_SLOTS;
    return known ? value->integer : -1;
}

void fth_builder_thread(struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics, struct fth_event begin)
{
    int64_t slot = slot_in(builder, semantics->thread.slot);
    struct fth_order_operation operation =
        fth_builder_operation(builder, semantics, semantics->operation, begin);
    uint32_t number = (uint32_t)builder->operations->operation_count;
    if (slot < 0)
        return;
    builder->waits.created = fth_reach(builder->waits.created, &builder->waits.created_room,
                                       (uint32_t)slot, sizeof *builder->waits.created);
    if (semantics->operation == FTH_SYNC_CREATE) {
        builder->waits.created[slot] = number + 1;
    } else if (!builder->waits.created[slot] || builder->waits.created[slot] > INT32_MAX) {
        return;
    } else {
        operation.peer = (int32_t)(builder->waits.created[slot] - 1);
        builder->waits.created[slot] = 0;
    }
    fth_builder_complete(builder, fth_order_operations_add(builder->operations, operation));
}

/* ---- locks ---- */

static void add_lock(struct fth_order_builder *builder, uint32_t slot, uint32_t operation,
                     bool acquired, bool shared)
{
    struct fth_order_operations *operations = builder->operations;
    FTH_GROW(operations->locks.all, operations->locks.count);
    operations->locks.all[operations->locks.count++] =
        (struct fth_order_lock){.to = 1,
                                .time = acquired ? builder->call->end : builder->call->start,
                                .file = slot,
                                .operation = operation,
                                .space = FTH_LOCK_OF_THREADS,
                                .acquired = acquired,
                                .shared = shared};
}

static void acquire(struct fth_order_builder *builder, uint32_t slot, uint32_t operation,
                    bool shared)
{
    add_lock(builder, slot, operation, true, shared);
    FTH_GROW(builder->waits.mutexes, builder->waits.mutex_count);
    builder->waits.mutexes[builder->waits.mutex_count++] =
        (struct fth_builder_mutex){slot, builder->thread, shared};
}

/* One that was acquired before the recording began counts as one that nobody else had. */
static void release(struct fth_order_builder *builder, uint32_t slot, uint32_t operation)
{
    bool shared = false;
    for (size_t i = builder->waits.mutex_count; i-- > 0;) {
        struct fth_builder_mutex *held = &builder->waits.mutexes[i];
        if (held->slot != slot || held->thread != builder->thread)
            continue;
        shared = held->shared;
        *held = builder->waits.mutexes[--builder->waits.mutex_count];
        break;
    }
    add_lock(builder, slot, operation, false, shared);
}

void fth_builder_mutex(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_event begin)
{
    int64_t slot = slot_in(builder, semantics->thread.slot);
    bool meets = semantics->thread.turn == FTH_TURN_MEET;
    if (slot < 0)
        return;
    struct fth_order_operation operation =
        fth_builder_operation(builder, semantics, meets ? FTH_SYNC_MEET : FTH_SYNC_LOCK, begin);
    operation.peer = (int32_t)slot;
    operation.tag =
        builder->call->result.type == FTH_VALUE_INTEGER && builder->call->result.integer != 0;
    uint32_t number = fth_order_operations_add(builder->operations, operation);
    fth_builder_complete(builder, number);
    if (meets) {
        struct fth_order_operations *operations = builder->operations;
        FTH_GROW(operations->mpi.meetings, operations->mpi.meeting_count);
        operations->mpi.meetings[operations->mpi.meeting_count++] =
            (struct fth_order_meeting){number, builder->call->start, builder->call->end};
    }
    if (semantics->thread.turn == FTH_TURN_RELEASE || semantics->thread.turn == FTH_TURN_REACQUIRE)
        release(builder, (uint32_t)slot, number);
    if (semantics->thread.turn != FTH_TURN_RELEASE && !meets)
        acquire(builder, (uint32_t)slot, number, semantics->thread.turn == FTH_TURN_ACQUIRE_SHARED);
}
