/* Files that one thread opens and another one uses: the number, or address, that the other one
 * passes is the result of the call that opened it. So it comes behind that call, by whatever means
 * it got it. The other way round nothing is certain: that a file is closed behind its last use
 * is what a program should do. */
#include "base/memory.h"
#include "order/build/builder.h"

enum { MOST_USERS = 1 << 22 /* handles and threads */ };

/* Times that are no longer exact may show a call in the order of two others that is not its own. */
static bool is_asked_for(const struct fth_order_builder *builder)
{
    const struct fth_trace_info *info = fth_trace_info(builder->trace);
    return builder->possible.pools && !info->times_are_means && !info->time_percent;
}

static bool is_opened(const struct fth_handle *handle)
{
    return handle->path && handle->origin == FTH_HANDLE_MADE &&
           handle->number < FTH_BUILDER_MOST_HANDLES;
}

/* Does the thread of the call use it for the first time? */
static bool is_first_use(struct fth_order_builder *builder, uint32_t handle)
{
    uint32_t key[] = {builder->thread, handle};
    uint32_t known = builder->openings.seen.count;
    return known < MOST_USERS && fth_intern(&builder->openings.seen, key, sizeof key) == known;
}

static void use(struct fth_order_builder *builder, uint32_t handle)
{
    struct fth_order_operations *operations = builder->operations;
    if (handle >= builder->openings.room)
        return;
    struct fth_event opened = builder->openings.events[handle];
    uint32_t own = operations->first_timeline + builder->thread;
    if (!opened.step || opened.timeline == own || !is_first_use(builder, handle))
        return;
    FTH_GROW(operations->openings, operations->opening_count);
    operations->openings[operations->opening_count++] =
        (struct fth_order_opening){opened, fth_builder_next_event(builder, builder->thread)};
}

void fth_builder_openings(struct fth_order_builder *builder)
{
    const struct fth_call *call = builder->call;
    for (size_t i = 0; i < call->use_count && is_asked_for(builder); i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        if (!is_opened(handle))
            continue;
        if (call->uses[i].kind == FTH_HANDLE_OPENED)
            fth_builder_frame_of_call(builder)->opened = (uint32_t)handle->number + 1;
        else
            use(builder, (uint32_t)handle->number);
    }
}

void fth_builder_opened(struct fth_order_builder *builder, uint32_t thread, uint32_t handle)
{
    builder->openings.events = fth_reach(builder->openings.events, &builder->openings.room, handle,
                                         sizeof *builder->openings.events);
    builder->openings.events[handle] = fth_builder_next_event(builder, thread);
}
