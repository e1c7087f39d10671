/* Files that one thread opens and another one uses: the number, or address, that the other one
 * passes is the result of the call that opened it. So it comes behind that call, by whatever means
 * it got it. The other way round nothing is certain: that a file is closed behind its last use
 * is what a program should do.
 *
 * A number says nothing that everybody knows (0 to 2), that the caller has chosen (dup2), that the
 * other thread has used for another file before, or that it may only try (fsync of all numbers). */
#include "base/memory.h"
#include "order/build/builder.h"

#include <string.h>

enum { MOST_NUMBERS = 1 << 22 /* in threads */, STANDARD = 3 /* input, output, error */ };

/* A number or an address, in a thread: the handle that it was last. */
struct fth_builder_number {
    uint32_t handle; /* plus 1; 0: none yet */
    bool is_known;   /* from another handle, or its opening is noted */
};

/* Times that are no longer exact may show a call in the order of two others that is not its own. */
static bool is_asked_for(const struct fth_order_builder *builder)
{
    const struct fth_trace_info *info = fth_trace_info(builder->trace);
    return builder->possible.pools && !info->times_are_means && !info->time_percent;
}

static bool is_file(const struct fth_handle *handle)
{
    return handle->path && handle->number < FTH_BUILDER_MOST_HANDLES;
}

static bool has_number_by_itself(const struct fth_handle *handle)
{
    bool is_standard = handle->value < STANDARD && !strcmp(handle->handle_class, "fd");
    return handle->origin == FTH_HANDLE_MADE && !handle->duplicate && !is_standard;
}

static struct fth_builder_number *number_of(struct fth_order_builder *builder,
                                            const struct fth_handle *handle)
{
    struct {
        int64_t value;
        uint32_t thread;
        char class_begins[sizeof(uint32_t)]; /* with it a number is of one class, and short */
    } key = {handle->value, builder->thread, ""};
    memcpy(key.class_begins, handle->handle_class,
           strnlen(handle->handle_class, sizeof key.class_begins));
    builder->openings.numbers.size = sizeof(struct fth_builder_number);
    return fth_keyed_count(&builder->openings.numbers) < MOST_NUMBERS
               ? fth_keyed_get(&builder->openings.numbers, &key, sizeof key)
               : NULL;
}

static bool accesses(const struct fth_call *call)
{
    const char *kind = call->function->kind;
    return !call->error_number && (!strcmp(kind, "read") || !strcmp(kind, "write"));
}

static void use(struct fth_order_builder *builder, const struct fth_handle *handle, bool opens)
{
    struct fth_order_operations *operations = builder->operations;
    struct fth_builder_number *number = number_of(builder, handle);
    if (!number)
        return;
    uint32_t which = (uint32_t)handle->number;
    number->is_known |= opens || (number->handle && number->handle != which + 1);
    number->handle = which + 1;
    if (number->is_known || which >= builder->openings.room || !accesses(builder->call))
        return;
    struct fth_event opened = builder->openings.events[which];
    if (!opened.step || opened.timeline == operations->first_timeline + builder->thread)
        return;
    number->is_known = true;
    FTH_GROW(operations->openings, operations->opening_count);
    operations->openings[operations->opening_count++] =
        (struct fth_order_opening){opened, fth_builder_next_event(builder, builder->thread)};
}

void fth_builder_openings(struct fth_order_builder *builder)
{
    const struct fth_call *call = builder->call;
    if (!is_asked_for(builder))
        return;
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        bool opens = call->uses[i].kind == FTH_HANDLE_OPENED;
        if (!is_file(handle))
            continue;
        use(builder, handle, opens);
        if (opens && has_number_by_itself(handle))
            fth_builder_frame_of_call(builder)->opened = (uint32_t)handle->number + 1;
    }
}

void fth_builder_opened(struct fth_order_builder *builder, uint32_t thread, uint32_t handle)
{
    builder->openings.events = fth_reach(builder->openings.events, &builder->openings.room, handle,
                                         sizeof *builder->openings.events);
    builder->openings.events[handle] = fth_builder_next_event(builder, thread);
}
