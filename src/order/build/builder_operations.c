/* What one call does: messages, collectives, processes. */
#include "base/memory.h"
#include "order/build/builder.h"

#include <errno.h>
#include <string.h>

/* ---- messages ---- */

/* Of a call that is over when it returns: who sent it, and with which tag, from its status. */
static void learn_sender(const struct fth_order_builder *builder, int status,
                         struct fth_order_operation *operation)
{
    const struct fth_value *value = fth_builder_value(builder, status);
    if (!value || value->type != FTH_VALUE_INTEGERS || value->count < 2)
        return;
    const char *source = value->texts ? value->texts[0] : NULL,
               *tag = value->texts ? value->texts[1] : NULL;
    if (operation->peer == FTH_PEER_ANY)
        operation->peer = fth_builder_peer(value->integers[0], source);
    if (operation->tag == FTH_TAG_ANY)
        operation->tag = fth_builder_tag(value->integers[1], tag);
}

static void note_matched_receive(struct fth_order_builder *builder,
                                 const struct fth_order_semantics *semantics,
                                 struct fth_event begin)
{
    const struct fth_value *message = fth_builder_value(builder, semantics->message.used);
    if (!message || message->type != FTH_VALUE_HANDLE || message->integer < 0 ||
        message->integer >= builder->requests.message_room ||
        !builder->requests.messages[message->integer])
        return;
    uint32_t operation = builder->requests.messages[message->integer] - 1;
    builder->requests.messages[message->integer] = 0;
    fth_order_operation_to_change(builder->operations, operation)->begin = begin;
}

/* What a message has that is sent; of one in parts all of them together. */
static int64_t bytes_sent(const struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics)
{
    int64_t bytes = fth_builder_bytes(builder, semantics->collective.counts[0],
                                      semantics->collective.datatype),
            parts = fth_builder_integer(builder, semantics->partition.count, 1);
    bool known = semantics->collective.count_count && bytes >= 0 && parts >= 0 &&
                 !__builtin_mul_overflow(bytes, parts, &bytes);
    return known ? bytes : -1;
}

static void note_message(struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics, struct fth_event begin)
{
    if (semantics->message.used >= 0) {
        note_matched_receive(builder, semantics, begin);
        return;
    }
    int from = semantics->message.sends && semantics->message.receives ? 1 : 0, count = 0;
    uint32_t member = fth_builder_member(builder, semantics->object, false);
    struct fth_order_operation operations[2];
    if (semantics->message.sends) {
        operations[count] = fth_builder_operation(builder, semantics, FTH_SYNC_SEND, begin);
        if (builder->operations->has_bytes)
            operations[count].bytes = bytes_sent(builder, semantics);
        operations[count].peer = fth_builder_peer_in(builder, semantics->message.peers[0]);
        operations[count++].tag = fth_builder_tag_in(builder, semantics->message.tags[0]);
    }
    if (semantics->message.receives || semantics->message.probes) {
        bool asks = semantics->message.probes && semantics->request.out_count > 0;
        if (asks && fth_builder_integer(builder, semantics->request.outs[0], 0) == 0)
            return; /* nothing was there */
        /* a probe that takes the message out is a receive */
        bool takes = semantics->message.receives || semantics->message.matched >= 0;
        operations[count] = fth_builder_operation(builder, semantics,
                                                  takes ? FTH_SYNC_RECEIVE : FTH_SYNC_PROBE, begin);
        operations[count].peer = fth_builder_peer_in(builder, semantics->message.peers[from]);
        operations[count++].tag = fth_builder_tag_in(builder, semantics->message.tags[from]);
        if (semantics->request.started < 0)
            learn_sender(builder, semantics->message.status, &operations[count - 1]);
    }
    for (int i = 0; i < count; i++) {
        operations[i].member = member;
        operations[i].flags = semantics->message.both ? FTH_SYNC_BOTH : 0;
    }
    if (semantics->request.started >= 0) {
        fth_builder_start(builder, semantics, operations, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (operations[i].peer == FTH_PEER_NOBODY)
            continue;
        uint32_t operation = fth_order_operations_add(builder->operations, operations[i]);
        fth_builder_complete(builder, operation);
        const struct fth_value *matched = fth_builder_value(builder, semantics->message.matched);
        if (matched && matched->type == FTH_VALUE_HANDLE && matched->integer >= 0 &&
            matched->integer < FTH_BUILDER_MOST_HANDLES) {
            builder->requests.messages =
                fth_reach(builder->requests.messages, &builder->requests.message_room,
                          (uint32_t)matched->integer, sizeof *builder->requests.messages);
            builder->requests.messages[matched->integer] = operation + 1;
        }
    }
}

/* ---- MPI up and down ---- */

static void note_world(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_event begin)
{
    builder->operations->mpi.finalized |= semantics->collective.is_finalize;
    if (builder->groups.world == FTH_NO_MEMBER)
        return;
    struct fth_order_operation operation =
        fth_builder_operation(builder, semantics, FTH_SYNC_COLLECTIVE, begin);
    operation.member = builder->groups.world;
    operation.function = semantics->collective.is_init ? UINT16_MAX : operation.function;
    uint32_t number = fth_order_operations_add(builder->operations, operation);
    fth_order_operations_chain(builder->operations, number);
    fth_builder_complete(builder, number);
}

/* ---- processes ---- */

/* Of wait and its kin: WUNTRACED and WSTOPPED are one, and WIFSTOPPED and WIFCONTINUED are
 * these. */
enum {
    NO_HANG = 1,
    STOPPED = 2,
    EXITED = 4,
    CONTINUED = 8,
    STAYS = 0x1000000,
    BY_PID = 1,
    BY_EXIT = 1, /* CLD_EXITED, CLD_KILLED, CLD_DUMPED */
    BY_SIGNAL = 2,
    BY_SIGNAL_WITH_CORE = 3,
    HAS_STOPPED = 0x7f,
    HAS_CONTINUED = 0xffff,
};

/* The child that is over when the call returns; 0: it may have been stopped only, or it is not
 * known which one it is (traces of older versions have nothing of those that waitid returns). */
static int64_t ended_child(const struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics, int64_t result)
{
    int64_t options = fth_builder_integer(builder, semantics->process.options, 0);
    if (semantics->process.child >= 0) {
        int64_t code = fth_builder_integer(builder, semantics->process.code, 0);
        bool ended = code == BY_EXIT || code == BY_SIGNAL || code == BY_SIGNAL_WITH_CORE;
        return ended ? fth_builder_integer(builder, semantics->process.child, 0) : 0;
    }
    if (semantics->process.idtype >= 0) {
        bool by_pid = fth_builder_integer(builder, semantics->process.idtype, 0) == BY_PID;
        bool ended =
            (options & EXITED) && !(options & (STOPPED | CONTINUED | NO_HANG)) && result == 0;
        return by_pid && ended ? fth_builder_integer(builder, semantics->process.id, 0) : 0;
    }
    int64_t otherwise = options & (STOPPED | CONTINUED) ? HAS_STOPPED : 0;
    int64_t status = fth_builder_integer(builder, semantics->process.child_status, otherwise);
    return status == HAS_CONTINUED || (status & 0xff) == HAS_STOPPED ? 0 : result;
}

/* Who waits for a child, and has none that could be waited for: those that it had are over, as when
 * SIGCHLD is ignored. FTH_PEER_ANY: for any; 0: something else went wrong, or it is not known
 * which ones were asked for. */
static int64_t gone_child(const struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics)
{
    enum { OF_THREADS = 0x20000000 };
    int64_t options = fth_builder_integer(builder, semantics->process.options, 0);
    if (builder->call->error_number != ECHILD || options >= OF_THREADS || options < 0)
        return 0;
    if (semantics->process.idtype >= 0) {
        int64_t type = fth_builder_integer(builder, semantics->process.idtype, -1);
        return type == BY_PID ? fth_builder_integer(builder, semantics->process.id, 0)
               : type == 0    ? FTH_PEER_ANY
                              : 0;
    }
    int64_t pid = fth_builder_integer(builder, semantics->process.waited, FTH_PEER_ANY);
    return pid >= FTH_PEER_ANY ? pid : 0;
}

static void note_process(struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics, struct fth_event begin)
{
    const struct fth_call *call = builder->call;
    int64_t pid = call->result.type == FTH_VALUE_INTEGER ? call->result.integer : 0;
    bool has_handle = semantics->operation == FTH_SYNC_CHILD_BEGINS ||
                      semantics->operation == FTH_SYNC_CHILD_ENDS;
    if (semantics->operation == FTH_SYNC_FORK && semantics->process.pid >= 0)
        pid = fth_builder_integer(builder, semantics->process.pid, 0);
    if (semantics->operation == FTH_SYNC_REAP)
        pid = call->error_number ? gone_child(builder, semantics)
                                 : ended_child(builder, semantics, pid);
    if (has_handle && (!call->handle || call->handle->number >= INT32_MAX))
        return;
    if (has_handle)
        pid = (int64_t)call->handle->number + 1;
    if (semantics->operation != FTH_SYNC_CHILD &&
        (pid == 0 || pid < FTH_PEER_ANY || pid > INT32_MAX))
        return;
    struct fth_order_operation operation =
        fth_builder_operation(builder, semantics, semantics->operation, begin);
    operation.peer = (int32_t)pid;
    if (semantics->operation == FTH_SYNC_REAP)
        operation.tag =
            call->error_number
                ? 2
                : (fth_builder_integer(builder, semantics->process.options, 0) & STAYS) != 0;
    fth_builder_complete(builder, fth_order_operations_add(builder->operations, operation));
}

/* ---- all of it ---- */

void fth_builder_note(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics, struct fth_event begin)
{
    switch (semantics->what) {
    case FTH_ORDERS_NOTHING:
    case FTH_ORDERS_LOCK:
    case FTH_ORDERS_CLOSE:
    case FTH_ORDERS_CLOSES:
    case FTH_ORDERS_SEEK:
    case FTH_ORDERS_PIPE:
    case FTH_ORDERS_THREAD:
    case FTH_ORDERS_MUTEX:
    case FTH_ORDERS_TRANSFER:
    case FTH_ORDERS_SHUT:
    case FTH_ORDERS_CONTACT:
    case FTH_ORDERS_READINESS:
    case FTH_ORDERS_TALLY:
    case FTH_ORDERS_REMOTE:
        break;
    case FTH_ORDERS_MESSAGE:
        note_message(builder, semantics, begin);
        break;
    case FTH_ORDERS_START:
    case FTH_ORDERS_REQUEST:
    case FTH_ORDERS_DONE:
    case FTH_ORDERS_READY:
    case FTH_ORDERS_ARRIVED:
    case FTH_ORDERS_COMPLETION:
    case FTH_ORDERS_CANCEL:
    case FTH_ORDERS_CANCELLED:
    case FTH_ORDERS_FREE:
        fth_builder_requests(builder, semantics, begin);
        break;
    case FTH_ORDERS_COLLECTIVE:
        fth_builder_collective(builder, semantics, begin);
        break;
    case FTH_ORDERS_ALL_OF_WORLD:
        note_world(builder, semantics, begin);
        break;
    case FTH_ORDERS_GROUP:
    case FTH_ORDERS_FROM_GROUP:
    case FTH_ORDERS_PARENT:
    case FTH_ORDERS_INQUIRY:
        fth_builder_group(builder, semantics, begin);
        break;
    case FTH_ORDERS_EPOCH:
        fth_builder_epoch(builder, semantics, begin);
        break;
    case FTH_ORDERS_PROCESS:
        note_process(builder, semantics, begin);
        break;
    }
}
