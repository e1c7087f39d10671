/* What else may order the calls of a process: its threads, which share all memory, and what it
 * shares with other processes. For that there are more events than calls make: before an access,
 * and behind it. Only who asks what may have come before has them. */
#include "base/memory.h"
#include "order/build/builder.h"

static void pool(struct fth_order_builder *builder, struct fth_event event, bool releases)
{
    struct fth_order_operations *operations = builder->operations;
    FTH_GROW(operations->possible.pool, operations->possible.pool_count);
    operations->possible.pool[operations->possible.pool_count++] =
        (struct fth_order_pooled){event, releases};
    builder->possible.gathered += releases;
}

void fth_builder_did(struct fth_order_builder *builder, uint32_t number)
{
    struct fth_builder_thread *thread = &builder->threads[number];
    if (!builder->possible.pools || thread->dirty)
        return;
    thread->dirty = true;
    FTH_GROW(builder->possible.dirty, builder->possible.dirty_count);
    builder->possible.dirty[builder->possible.dirty_count++] = number;
}

/* What other threads have done goes into the pool. */
static void gather(struct fth_order_builder *builder, uint32_t but)
{
    size_t kept = 0;
    for (size_t i = 0; i < builder->possible.dirty_count; i++) {
        uint32_t number = builder->possible.dirty[i];
        struct fth_builder_thread *thread = &builder->threads[number];
        if (number == but) {
            builder->possible.dirty[kept++] = number;
            continue;
        }
        if (thread->marked)
            fth_builder_next_event(builder, number);
        pool(builder,
             (struct fth_event){builder->operations->first_timeline + number, thread->steps - 1},
             true);
        thread->dirty = false;
    }
    builder->possible.dirty_count = kept;
}

static bool knows_all(const struct fth_order_builder *builder, uint32_t number)
{
    bool others = builder->possible.dirty_count > builder->threads[number].dirty;
    return !others && builder->threads[number].taken == builder->possible.gathered;
}

void fth_builder_depends(struct fth_order_builder *builder, uint32_t number, struct fth_event event)
{
    if (!builder->possible.pools || knows_all(builder, number))
        return;
    gather(builder, number);
    pool(builder, event, false);
    builder->threads[number].taken = builder->possible.gathered;
}

static void touch(struct fth_order_builder *builder, uint32_t number, int64_t time, bool releases)
{
    struct fth_order_operations *operations = builder->operations;
    struct fth_event event = fth_builder_next_event(builder, number);
    FTH_GROW(operations->possible.touches, operations->possible.touch_count);
    operations->possible.touches[operations->possible.touch_count++] =
        (struct fth_order_touch){event, time, releases};
}

void fth_builder_before_moment(struct fth_order_builder *builder)
{
    uint32_t number = builder->thread;
    if (builder->possible.shares)
        touch(builder, number, builder->call->start, false);
    if (builder->possible.pools && !knows_all(builder, number))
        fth_builder_depends(builder, number, fth_builder_next_event(builder, number));
    builder->threads[number].marked = true;
    fth_builder_did(builder, number);
}

/* What orders processes passes on what may be known, too: to a child, to who reads a pipe. */
void fth_builder_before_event(struct fth_order_builder *builder)
{
    if (builder->possible.shares)
        touch(builder, builder->thread, builder->call->start, false);
}

void fth_builder_behind_event(struct fth_order_builder *builder, uint32_t number, int64_t time)
{
    if (builder->possible.shares)
        touch(builder, number, time, true);
}

void fth_builder_before_end(struct fth_order_builder *builder, uint32_t number)
{
    if (builder->possible.shares)
        touch(builder, number, fth_trace_process(builder->trace, builder->proc)->end, false);
}

void fth_builder_behind_moment(struct fth_order_builder *builder, uint32_t number, int64_t time)
{
    builder->threads[number].marked = true;
    if (builder->possible.shares)
        touch(builder, number, time, true);
    fth_builder_did(builder, number);
}

void fth_builder_remote(struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics, struct fth_event begin)
{
    struct fth_order_operations *operations = builder->operations;
    struct fth_order_operation operation =
        fth_builder_operation(builder, semantics, FTH_SYNC_REMOTE, begin);
    operation.member = fth_builder_member(builder, semantics->object, false);
    uint32_t number = fth_order_operations_add(operations, operation);
    fth_builder_complete(builder, number);
    FTH_GROW(operations->mpi.remotes, operations->mpi.remote_count);
    operations->mpi.remotes[operations->mpi.remote_count++] =
        (struct fth_order_remote){number, builder->call->start, builder->call->end};
}

void fth_builder_readiness(struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics, struct fth_event begin)
{
    struct fth_order_operations *operations = builder->operations;
    if (builder->threads[builder->thread].of_library)
        return;
    uint32_t number = fth_order_operations_add(
        operations, fth_builder_operation(builder, semantics, FTH_SYNC_PIPE, begin));
    fth_builder_complete(builder, number);
    FTH_GROW(operations->findings, operations->finding_count);
    operations->findings[operations->finding_count++] =
        (struct fth_order_readiness){builder->call->start, builder->call->end, number};
}
