/* Epochs of windows: between some of their members (start, complete, post, wait), and under locks
 * (lock, unlock). */
#include "base/memory.h"
#include "order/build/builder.h"

#include <string.h>

static void note_reach(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, uint32_t window,
                       struct fth_event begin)
{
    struct fth_member *member = &builder->operations->mpi.members[window];
    bool reaches =
        semantics->operation == FTH_SYNC_START || semantics->operation == FTH_SYNC_COMPLETE;
    uint32_t *open = reaches ? &member->reached : &member->exposed;
    if (semantics->operation == FTH_SYNC_START || semantics->operation == FTH_SYNC_POST) {
        uint32_t node = fth_builder_node(builder, semantics->group.used[0]);
        *open = node < INT32_MAX ? node + 1 : INT32_MAX;
    }
    if (!*open)
        return;
    struct fth_order_operation operation =
        fth_builder_operation(builder, semantics, semantics->operation, begin);
    operation.member = window;
    operation.peer = (int32_t)(*open - 1);
    if (semantics->operation == FTH_SYNC_COMPLETE || semantics->operation == FTH_SYNC_WAIT)
        *open = 0;
    fth_builder_complete(builder, fth_order_operations_add(builder->operations, operation));
}

/* ---- locks ---- */

static bool is_exclusive(const struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics)
{
    const struct fth_value *type = fth_builder_value(builder, semantics->epoch.lock_type);
    return type && type->text && strcmp(type->text, "MPI_LOCK_EXCLUSIVE") == 0;
}

/* Of which ranks: one, or all. */
static bool targets_of(const struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_order_lock *lock)
{
    int64_t rank = fth_builder_integer(builder, semantics->message.peers[0], -1);
    if (semantics->message.peers[0] >= 0 && rank < 0)
        return false;
    lock->from = semantics->message.peers[0] >= 0 ? (uint64_t)rank : 0;
    lock->to = semantics->message.peers[0] >= 0 ? (uint64_t)rank + 1 : UINT64_MAX;
    return true;
}

static void begin_locked(struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics, struct fth_order_lock lock)
{
    lock.shared = semantics->epoch.lock_type < 0 || !is_exclusive(builder, semantics);
    FTH_GROW(builder->windows.epochs, builder->windows.epoch_count);
    builder->windows.epochs[builder->windows.epoch_count++] = lock;
}

/* MPI_Win_lock may return before the lock is held, so all that is certain is when the epoch was
 * over: it was held at some time before its unlock returned, and not given up before that was
 * called. So an epoch came after those that conflict with it whose unlock had returned when its own
 * was called; and that is known to whoever's unlock has returned. */
static void end_locked(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_order_lock lock,
                       struct fth_event begin)
{
    struct fth_order_operations *operations = builder->operations;
    size_t at = 0;
    while (at < builder->windows.epoch_count && (builder->windows.epochs[at].file != lock.file ||
                                                 builder->windows.epochs[at].from != lock.from ||
                                                 builder->windows.epochs[at].to != lock.to))
        at++;
    if (at == builder->windows.epoch_count)
        return;
    lock = builder->windows.epochs[at];
    builder->windows.epochs[at] = builder->windows.epochs[--builder->windows.epoch_count];
    struct fth_order_operation operation =
        fth_builder_operation(builder, semantics, FTH_SYNC_LOCK, begin);
    operation.member = lock.file;
    lock.operation = fth_order_operations_add(operations, operation);
    fth_builder_complete(builder, lock.operation);
    for (int released = 0; released < 2; released++) {
        lock.acquired = !released;
        lock.time = released ? builder->call->end : builder->call->start;
        FTH_GROW(operations->locks.all, operations->locks.count);
        operations->locks.all[operations->locks.count++] = lock;
    }
}

void fth_builder_epoch(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_event begin)
{
    uint32_t window = fth_builder_member(builder, semantics->object, false);
    struct fth_order_lock lock = {.file = window, .space = FTH_LOCK_OF_WINDOW};
    if (window == FTH_NO_MEMBER ||
        (semantics->request.out_count > 0 &&
         fth_builder_integer(builder, semantics->request.outs[0], 1) == 0))
        return; /* a test that found it open */
    if (semantics->operation != FTH_SYNC_LOCK)
        note_reach(builder, semantics, window, begin);
    else if (!targets_of(builder, semantics, &lock))
        return;
    else if (semantics->epoch.unlocks)
        end_locked(builder, semantics, lock, begin);
    else
        begin_locked(builder, semantics, lock);
}
