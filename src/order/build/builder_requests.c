/* Requests: what they stand for, from the call that starts it to the one that finds it complete,
 * whichever thread makes it. */
#include "base/memory.h"
#include "order/build/builder.h"

#include <string.h>

enum { MOST_REQUESTS = 1 << 20 };

static size_t requests_in(const struct fth_value *value)
{
    return !value                             ? 0
           : value->type == FTH_VALUE_HANDLES ? value->count
                                              : value->type == FTH_VALUE_HANDLE;
}

/* NULL: it stands for nothing that we know. */
static struct fth_pending *pending_at(const struct fth_order_builder *builder,
                                      const struct fth_value *value, size_t i)
{
    int64_t slot = value->type == FTH_VALUE_HANDLES ? value->integers[i] : value->integer;
    if (slot < 0 || slot >= builder->requests.room || !builder->requests.by_slot[slot].used)
        return NULL;
    return &builder->requests.by_slot[slot];
}

/* ---- begin ---- */

static uint32_t add_operation(struct fth_order_builder *builder,
                              struct fth_order_operation operation)
{
    if (operation.kind != FTH_SYNC_COLLECTIVE && operation.peer == FTH_PEER_NOBODY)
        return FTH_NO_OPERATION;
    uint32_t number = fth_order_operations_add(builder->operations, operation);
    if (operation.kind == FTH_SYNC_COLLECTIVE)
        fth_order_operations_chain(builder->operations, number);
    return number;
}

/* A library gives the same request to operations that are over already: nobody needs to wait for
 * those. */
static void let_go(struct fth_order_builder *builder, const struct fth_pending *pending)
{
    for (int i = 0; i < 2; i++)
        if (pending->used && pending->operations[i] != FTH_NO_OPERATION)
            fth_order_operation_to_change(builder->operations, pending->operations[i])->flags |=
                FTH_SYNC_FREED;
}

void fth_builder_start(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics,
                       const struct fth_order_operation *operations, int count)
{
    const struct fth_value *value = fth_builder_value(builder, semantics->request.started);
    struct fth_pending pending = {.operations = {FTH_NO_OPERATION, FTH_NO_OPERATION},
                                  .used = true,
                                  .persistent = semantics->persistent,
                                  .like_count = count,
                                  .partitions =
                                      fth_builder_integer(builder, semantics->partition.count, 0)};
    for (int i = 0; i < count; i++) {
        pending.like[i] = operations[i];
        if (!semantics->persistent)
            pending.operations[i] = add_operation(builder, operations[i]);
    }
    if (!value || value->type != FTH_VALUE_HANDLE || value->integer < 0 ||
        value->integer >= MOST_REQUESTS) {
        let_go(builder, &pending);
        return;
    }
    builder->requests.by_slot =
        fth_reach(builder->requests.by_slot, &builder->requests.room, (uint32_t)value->integer,
                  sizeof *builder->requests.by_slot);
    let_go(builder, &builder->requests.by_slot[value->integer]);
    builder->requests.by_slot[value->integer] = pending;
}

static void start_again(struct fth_order_builder *builder, struct fth_pending *pending,
                        struct fth_event begin)
{
    for (int i = 0; pending->persistent && i < pending->like_count; i++) {
        struct fth_order_operation operation = pending->like[i];
        operation.begin = begin;
        operation.call = (uint32_t)builder->call->number;
        pending->operations[i] = add_operation(builder, operation);
        if (pending->partitions > 0 && pending->operations[i] != FTH_NO_OPERATION) {
            FTH_GROW(builder->operations->mpi.partitioned,
                     builder->operations->mpi.partitioned_count);
            builder->operations->mpi.partitioned[builder->operations->mpi.partitioned_count++] =
                (struct fth_order_partitioned){.operation = pending->operations[i],
                                               .count = pending->partitions};
        }
    }
}

/* ---- parts ---- */

/* What is under way, or what another thread began to wait for while it was. */
static uint32_t under_way(const struct fth_pending *pending)
{
    return pending->operations[0] != FTH_NO_OPERATION ? pending->operations[0]
                                                      : pending->waited - 1;
}

/* Parts [from, to) of a message are ready when the call begins, or have arrived when it ends. */
static void add_part(struct fth_order_builder *builder, const struct fth_order_semantics *semantics,
                     uint32_t message, int64_t from, int64_t to, struct fth_event begin)
{
    struct fth_order_operations *operations = builder->operations;
    struct fth_order_partitioned *whole = fth_order_operations_partitioned(operations, message);
    if (!whole || from < 0 || to > whole->count || from >= to)
        return;
    uint32_t operation = fth_order_operations_add(
        operations, fth_builder_operation(builder, semantics, FTH_SYNC_PART, begin));
    fth_builder_complete(builder, operation);
    FTH_GROW(operations->mpi.parts, operations->mpi.part_count);
    operations->mpi.parts[operations->mpi.part_count++] =
        (struct fth_order_part){operation, whole->parts, from, to};
    whole->parts = (uint32_t)operations->mpi.part_count;
}

static void note_parts(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics,
                       const struct fth_pending *pending, struct fth_event begin)
{
    const struct fth_value *list = fth_builder_value(builder, semantics->partition.list);
    int64_t from = fth_builder_integer(builder, semantics->partition.first, -1),
            last = fth_builder_integer(builder, semantics->partition.last, from);
    uint32_t message = under_way(pending);
    if (message == FTH_NO_OPERATION)
        return;
    for (size_t i = 0; list && list->type == FTH_VALUE_INTEGERS && i < list->count; i++)
        if (list->integers[i] < INT64_MAX)
            add_part(builder, semantics, message, list->integers[i], list->integers[i] + 1, begin);
    if (from >= 0 && last >= from && last < INT64_MAX)
        add_part(builder, semantics, message, from, last + 1, begin);
}

/* What is sent in parts begins with the last of them that the thread which started it makes
 * ready. */
static void make_ready(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics,
                       const struct fth_pending *pending, struct fth_event begin)
{
    note_parts(builder, semantics, pending, begin);
    for (int i = 0; i < pending->like_count; i++) {
        if (pending->operations[i] == FTH_NO_OPERATION)
            continue;
        struct fth_order_operation *operation =
            fth_order_operation_to_change(builder->operations, pending->operations[i]);
        if (operation->kind == FTH_SYNC_SEND && operation->begin.timeline == begin.timeline)
            operation->begin = begin;
    }
}

/* ---- end ---- */

static void learn_sender(const struct fth_value *status, size_t at,
                         struct fth_order_operation *operation)
{
    if (!status || status->type != FTH_VALUE_INTEGERS || 2 * at + 1 >= status->count)
        return;
    const char *source = status->texts ? status->texts[2 * at] : NULL,
               *tag = status->texts ? status->texts[2 * at + 1] : NULL;
    if (source && strcmp(source, "MPI_UNDEFINED") == 0)
        return;
    if (operation->peer == FTH_PEER_ANY)
        operation->peer = fth_builder_peer(status->integers[2 * at], source);
    if (operation->tag == FTH_TAG_ANY)
        operation->tag = fth_builder_tag(status->integers[2 * at + 1], tag);
}

/* As long as nobody says which: a send counts as sent, a receive as none. If that is wrong, later
 * receives are matched with sends before theirs: too little is in order then, and never too
 * much. */
static bool counts_as_cancelled(const struct fth_order_operation *operation)
{
    return operation->kind != FTH_SYNC_SEND;
}

static void complete(struct fth_order_builder *builder, const struct fth_order_semantics *semantics,
                     const struct fth_value *requests, size_t i, size_t status_at)
{
    struct fth_pending *pending =
        i < requests_in(requests) ? pending_at(builder, requests, i) : NULL;
    if (!pending)
        return;
    pending->waited = pending->operations[0] + 1;
    for (int k = 0; k < 2; k++) {
        if (pending->operations[k] == FTH_NO_OPERATION)
            continue;
        struct fth_order_operation *operation =
            fth_order_operation_to_change(builder->operations, pending->operations[k]);
        if (operation->kind == FTH_SYNC_RECEIVE)
            learn_sender(fth_builder_value(builder, semantics->message.status), status_at,
                         operation);
        if (pending->cancelled) {
            builder->requests.cancelled = pending->operations[k];
            builder->requests.cancelled_kind = operation->kind;
            operation->kind = counts_as_cancelled(operation) ? FTH_SYNC_NONE : operation->kind;
        }
        if (!(operation->flags & FTH_SYNC_COMPLETED))
            fth_builder_complete(builder, pending->operations[k]);
        pending->operations[k] = FTH_NO_OPERATION;
    }
    pending->cancelled = false;
    pending->used = pending->persistent;
}

/* Which are complete: those in a list of indices, the one whose index is returned, or all. */
static void find_complete(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics)
{
    const struct fth_value *requests = fth_builder_value(builder, semantics->request.completed);
    size_t count = requests_in(requests);
    bool reports = semantics->request.out_count > 0,
         some = reports && semantics->request.indices >= 0;
    bool any = !some && semantics->request.out_count == (semantics->request.waits ? 1 : 2);
    int64_t said =
        reports ? fth_builder_integer(builder,
                                      semantics->request.outs[semantics->request.out_count - 1], 0)
                : 1;
    if (!semantics->request.waits && said == 0)
        return;
    if (some) {
        const struct fth_value *indices = fth_builder_value(builder, semantics->request.indices);
        size_t most = indices && indices->type == FTH_VALUE_INTEGERS ? indices->count : 0;
        for (size_t i = 0; i < most && (int64_t)i < said; i++)
            if (indices->integers[i] >= 0)
                complete(builder, semantics, requests, (size_t)indices->integers[i], i);
    } else if (any) {
        int64_t index = fth_builder_integer(builder, semantics->request.outs[0], -1);
        if (index >= 0)
            complete(builder, semantics, requests, (size_t)index, 0);
    } else {
        for (size_t i = 0; i < count; i++)
            complete(builder, semantics, requests, i, i);
    }
}

static void free_request(struct fth_order_builder *builder, struct fth_pending *pending)
{
    let_go(builder, pending);
    *pending = (struct fth_pending){.used = false};
}

/* Of requests defined by the program: who finds them complete comes behind this. */
static void note_done(struct fth_order_builder *builder, const struct fth_value *request,
                      struct fth_event begin)
{
    if (!request || request->type != FTH_VALUE_HANDLE || request->integer < 0 ||
        request->integer >= builder->requests.room)
        return;
    uint32_t operation = under_way(&builder->requests.by_slot[request->integer]);
    if (operation != FTH_NO_OPERATION &&
        fth_order_operation(builder->operations, operation).kind == FTH_SYNC_REQUEST)
        fth_order_operation_to_change(builder->operations, operation)->begin = begin;
}

void fth_builder_requests(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, struct fth_event begin)
{
    if (semantics->what == FTH_ORDERS_COMPLETION) {
        find_complete(builder, semantics);
        return;
    }
    if (semantics->what == FTH_ORDERS_REQUEST) {
        struct fth_order_operation operation =
            fth_builder_operation(builder, semantics, FTH_SYNC_REQUEST, begin);
        fth_builder_start(builder, semantics, &operation, 1);
        return;
    }
    if (semantics->what == FTH_ORDERS_CANCELLED) {
        int64_t cancelled = semantics->request.out_count
                                ? fth_builder_integer(builder, semantics->request.outs[0], -1)
                                : -1;
        if (builder->requests.cancelled != FTH_NO_OPERATION && cancelled >= 0)
            fth_order_operation_to_change(builder->operations, builder->requests.cancelled)->kind =
                cancelled ? FTH_SYNC_NONE : builder->requests.cancelled_kind;
        builder->requests.cancelled = FTH_NO_OPERATION;
        return;
    }
    if (semantics->what == FTH_ORDERS_ARRIVED && semantics->request.out_count &&
        fth_builder_integer(builder, semantics->request.outs[0], 0) == 0)
        return;
    const struct fth_value *requests = fth_builder_value(builder, semantics->request.completed);
    if (semantics->what == FTH_ORDERS_DONE) {
        note_done(builder, requests, begin);
        return;
    }
    for (size_t i = 0; i < requests_in(requests); i++) {
        struct fth_pending *pending = pending_at(builder, requests, i);
        if (!pending)
            continue;
        if (semantics->what == FTH_ORDERS_START)
            start_again(builder, pending, begin);
        else if (semantics->what == FTH_ORDERS_READY)
            make_ready(builder, semantics, pending, begin);
        else if (semantics->what == FTH_ORDERS_ARRIVED)
            note_parts(builder, semantics, pending, begin);
        else if (semantics->what == FTH_ORDERS_CANCEL)
            pending->cancelled = true;
        else
            free_request(builder, pending);
    }
}
