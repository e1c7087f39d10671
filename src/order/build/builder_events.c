/* Events of a thread: in which order they come, and what a call at hand adds to it. */
#include "base/memory.h"
#include "order/build/builder.h"

#include <string.h>

struct fth_event fth_builder_next_event(struct fth_order_builder *builder, uint32_t thread)
{
    builder->threads[thread].marked = false;
    return (struct fth_event){builder->operations->first_timeline + thread,
                              builder->threads[thread].steps++};
}

void fth_builder_mark(struct fth_order_builder *builder, uint32_t thread)
{
    builder->rounds.period = 0;
    builder->rounds.marks[builder->rounds.count++ % FTH_BUILDER_MARKS] = (struct fth_builder_mark){
        thread, builder->threads[thread].steps, (uint32_t)builder->operations->operation_count};
}

void fth_builder_complete(struct fth_order_builder *builder, uint32_t operation)
{
    struct fth_builder_thread *thread = &builder->threads[builder->thread];
    FTH_GROW(thread->completing, thread->completing_count);
    thread->completing[thread->completing_count++] = operation;
}

void fth_builder_enter(struct fth_order_builder *builder, bool is_event)
{
    struct fth_builder_thread *thread = &builder->threads[builder->thread];
    thread->frames =
        fth_reach(thread->frames, &thread->frame_room, thread->frame_count, sizeof *thread->frames);
    thread->frames[thread->frame_count++] = (struct fth_builder_frame){
        .depth = builder->depth,
        .is_event = is_event,
        .end = builder->call->end,
        .completing = thread->completing_count,
        .tickets = thread->ticket_count,
        .changes = thread->change_count,
    };
    if (builder->call->end < builder->tickets.soonest_end)
        builder->tickets.soonest_end = builder->call->end;
}

struct fth_builder_frame *fth_builder_frame_of_call(struct fth_order_builder *builder)
{
    struct fth_builder_thread *thread = &builder->threads[builder->thread];
    if (!thread->frame_count || thread->frames[thread->frame_count - 1].depth != builder->depth)
        fth_builder_enter(builder, false);
    return &thread->frames[thread->frame_count - 1];
}
