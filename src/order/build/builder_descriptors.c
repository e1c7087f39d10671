/* Descriptors of things that other processes may have open, too, above all the children of this
 * one: from when to when the process had each, and whether it closes on exec. So it is known who
 * can write to a pipe. */
#include "base/memory.h"
#include "model/reading/trace_functions.h"
#include "order/build/builder.h"
#include "order/build/known_files.h"

#include <string.h>

enum { MOST_DESCRIPTORS = 1 << 20, IS_NONE = 1, FIRST = 2 };

static struct fth_moment now(const struct fth_order_builder *builder)
{
    return (struct fth_moment){builder->operations->first_timeline + builder->thread,
                               builder->threads[builder->thread].steps};
}

static uint32_t *known(struct fth_order_builder *builder, const struct fth_handle *handle)
{
    builder->descriptors.by_handle =
        fth_reach(builder->descriptors.by_handle, &builder->descriptors.handle_room,
                  (uint32_t)handle->number, sizeof *builder->descriptors.by_handle);
    return &builder->descriptors.by_handle[handle->number];
}

static bool is_descriptor(const struct fth_handle *handle)
{
    return handle->handle_class && strcmp(handle->handle_class, "fd") == 0;
}

static uint32_t add(struct fth_order_builder *builder, struct fth_order_descriptor descriptor)
{
    struct fth_order_operations *operations = builder->operations;
    if (operations->descriptors.count == MOST_DESCRIPTORS)
        return IS_NONE;
    FTH_GROW(operations->descriptors.all, operations->descriptors.count);
    operations->descriptors.all[operations->descriptors.count] = descriptor;
    return operations->descriptors.count++ + FIRST;
}

/* Who makes both ends of a pipe writes into the second one; into a pair of sockets into both. */
static bool can_write(const struct fth_handle *handle, const struct fth_builder_end *end)
{
    return end->is_socket || (end->creation && end->side == 1) ||
           (handle->access & FTH_ACCESS_WRITE);
}

static const char *locked_name(const struct fth_order_builder *builder,
                               const struct fth_handle *handle)
{
    const char *path = handle->identity.path ? handle->identity.path : handle->path;
    return path ? fth_known_files_find(&builder->known_files->locked, path) : NULL;
}

/* A copy is of what its original is of. NULL: of nothing that others may have, or it is not known
 * yet of what. */
static struct fth_order_descriptor *describe(struct fth_order_builder *builder,
                                             const struct fth_handle *handle)
{
    struct fth_order_operations *operations = builder->operations;
    if (handle->number >= FTH_BUILDER_MOST_HANDLES)
        return NULL;
    uint32_t at = *known(builder, handle);
    if (!at && !is_descriptor(handle))
        at = *known(builder, handle) = IS_NONE;
    if (!at) {
        const struct fth_order_descriptor *original =
            handle->duplicate && handle->parent ? describe(builder, handle->parent) : NULL;
        struct fth_order_descriptor descriptor = {0};
        const char *name = NULL;
        const struct fth_builder_end *end =
            original ? NULL : fth_builder_end_of(builder, handle, &name);
        const char *locked = original || end ? NULL : locked_name(builder, handle);
        if (original)
            descriptor = *original;
        else if (locked)
            descriptor = (struct fth_order_descriptor){.name = locked, .is_locked = true};
        else if (end)
            descriptor = (struct fth_order_descriptor){.name = name,
                                                       .creation = end->creation,
                                                       .side = end->side,
                                                       .writes = can_write(handle, end)};
        descriptor.value = handle->value;
        descriptor.was_there = handle->origin == FTH_HANDLE_THERE;
        descriptor.is_marked = !descriptor.was_there;
        descriptor.opened = now(builder);
        descriptor.closed = (struct fth_moment){FTH_NO_TIMELINE, 0};
        if (!original)
            descriptor.original = operations->descriptors.count;
        if (original || end || locked)
            at = add(builder, descriptor);
        else if (handle->path)
            at = IS_NONE;
        *known(builder, handle) = at;
    }
    if (at < FIRST)
        return NULL;
    struct fth_order_descriptor *descriptor = &operations->descriptors.all[at - FIRST];
    if (!descriptor->name && handle->path) /* the system's name is seen with the first use */
        fth_builder_end_of(builder, handle, &descriptor->name);
    return descriptor;
}

static bool commands(const struct fth_order_builder *builder,
                     const struct fth_order_semantics *semantics, const char *wanted)
{
    const char *command =
        semantics && semantics->command >= 0 ? fth_command_of(builder->trace, builder->call) : NULL;
    return command && strcmp(command, wanted) == 0;
}

static bool is_written(const struct fth_order_semantics *semantics, int parameter)
{
    return semantics && semantics->what == FTH_ORDERS_TRANSFER &&
           parameter == semantics->transfer.descriptors[semantics->transfer.gives ? 0 : 1];
}

void fth_builder_descriptors(struct fth_order_builder *builder,
                             const struct fth_order_semantics *semantics)
{
    const struct fth_call *call = builder->call;
    if (commands(builder, semantics, "F_SETFL"))
        fth_builder_set_packets(builder);
    for (size_t i = 0; i < call->use_count; i++) {
        struct fth_order_descriptor *descriptor = describe(builder, call->uses[i].handle);
        if (!descriptor)
            continue;
        descriptor->closes_on_exec = (call->uses[i].handle->status_flags & FTH_CLOSE_ON_EXEC) != 0;
        descriptor->is_marked |= commands(builder, semantics, "F_SETFD");
        descriptor->writes |= is_written(semantics, call->uses[i].parameter);
    }
}

uint32_t fth_builder_descriptor(struct fth_order_builder *builder, const struct fth_handle *handle)
{
    const struct fth_order_descriptor *descriptor = handle ? describe(builder, handle) : NULL;
    return descriptor ? (uint32_t)(descriptor - builder->operations->descriptors.all) : UINT32_MAX;
}

bool fth_builder_has_descriptor(struct fth_order_builder *builder, const struct fth_handle *handle)
{
    return fth_builder_descriptor(builder, handle) != UINT32_MAX;
}

void fth_builder_close_descriptor(struct fth_order_builder *builder,
                                  const struct fth_handle *handle, uint32_t operation)
{
    struct fth_order_descriptor *descriptor = handle ? describe(builder, handle) : NULL;
    struct fth_event begin = fth_order_operation(builder->operations, operation).begin;
    if (!descriptor || descriptor->closed.timeline != FTH_NO_TIMELINE)
        return;
    descriptor->closed = (struct fth_moment){begin.timeline, begin.step};
    descriptor->closing = operation;
    descriptor->closed_at = builder->call->start;
    descriptor->closed_end = builder->call->end;
}

void fth_builder_close_unnamed_descriptors(struct fth_order_builder *builder, uint32_t operation)
{
    struct fth_order_operations *operations = builder->operations;
    struct fth_event begin = fth_order_operation(operations, operation).begin;
    if (operations->descriptors.closed_unnamed)
        return;
    operations->descriptors.closed_unnamed = true;
    operations->descriptors.unnamed = (struct fth_moment){begin.timeline, begin.step};
    operations->descriptors.closing = operation;
    operations->descriptors.closed_at = builder->call->start;
    operations->descriptors.closed_end = builder->call->end;
}
