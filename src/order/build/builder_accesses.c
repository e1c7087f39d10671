/* One-sided accesses of a process one by one, for who lists them: which bytes of which window go to
 * or come from whom. They order nothing, so that they are no operations: a program may make many
 * millions, and each takes a few bytes here, or none if the program repeats itself. */
#include "order/build/builder.h"

/* What it gives is counted by its first count, what it gets by the last one: they are the same but
 * for those that may give nothing. Calls without a count move one element. */
static int64_t bytes_moved(const struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics, bool gives)
{
    const struct fth_collective_semantics *data = &semantics->collective;
    int type = gives ? data->datatype : data->last_datatype;
    if (data->count_count)
        return fth_builder_bytes(builder, data->counts[gives ? 0 : data->count_count - 1], type);
    const struct fth_datatype *datatype =
        builder->accesses ? fth_accesses_datatype(builder->accesses, type) : NULL;
    return datatype ? (int64_t)datatype->size : -1;
}

static void add(struct fth_order_builder *builder, struct fth_order_access_like like, int64_t bytes)
{
    struct fth_order_operations *operations = builder->operations;
    uint32_t number = fth_intern(&operations->mpi.likes, &like, sizeof like);
    fth_rows_add(&operations->mpi.accesses,
                 (int64_t[]){number, (int64_t)builder->call->number, builder->call->start, bytes});
}

void fth_builder_list_access(struct fth_order_builder *builder,
                             const struct fth_order_semantics *semantics)
{
    int32_t peer = fth_builder_peer_in(builder, semantics->message.peers[0]);
    if (!builder->operations->mpi.lists_accesses || peer < 0)
        return;
    struct fth_order_access_like like = {.thread = builder->thread, .peer = peer};
    like.member = fth_builder_member(builder, semantics->object, false);
    builder->listed = semantics->remote.gives || semantics->remote.gets;
    for (int gives = 1; gives >= 0; gives--) {
        like.gives = (uint32_t)gives;
        if (gives ? semantics->remote.gives : semantics->remote.gets)
            add(builder, like, bytes_moved(builder, semantics, gives));
    }
}
