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

void fth_builder_complete(struct fth_order_builder *builder, uint32_t operation)
{
    struct fth_builder_thread *thread = &builder->threads[builder->thread];
    FTH_GROW(thread->completing, thread->completing_count);
    thread->completing[thread->completing_count++] = operation;
}
