/* From a row of the catalogue to what its calls mean for the order. What parameters of MPI mean:
 * order_semantics_mpi.c. */
#include "order/build/order_semantics.h"
#include "order/build/row_roles.h"

#include "trace/record/builtin.h"

#include <string.h>

/* ---- the object of a call ---- */

/* The communicator, window or file of a call, or the one that it makes. */
static int find_object(const struct fth_function *function, bool made)
{
    const char *const classes[] = {"comm", "win", "mpi_file"};
    int found = FTH_NO_PARAMETER;
    for (size_t i = 0; i < 3 && found < 0; i++)
        found = made ? find(function, "new", classes[i]) : find_used(function, classes[i]);
    return found;
}

/* ---- calls of the system ---- */

/* A child that lives inside the call; or one that goes on, and is known by a handle, until that is
 * closed. */
static enum fth_order_operation_kind child_of(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, "close", 5) == 0)
            return FTH_SYNC_CHILD_ENDS;
    return strchr(function->result_type, '*') ? FTH_SYNC_CHILD_BEGINS : FTH_SYNC_CHILD;
}

static bool note_process(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    semantics->operation = is(function->orders, "fork")    ? FTH_SYNC_FORK
                           : is(function->orders, "child") ? child_of(function)
                           : is(function->orders, "reap")  ? FTH_SYNC_REAP
                                                           : FTH_SYNC_NONE;
    semantics->process = (struct fth_process_semantics){
        .pid = named_with_role(function, "pid"),
        .child_status = named_with_role(function, "wstatus"),
        .options = named_with_role(function, "options"),
        .idtype = named_with_role(function, "idtype"),
        .waited = named(function, "pid"),
        .id = named(function, "id"),
        .code = named(function, "code"),
        .child = named(function, "child"),
    };
    return semantics->operation != FTH_SYNC_NONE;
}

static bool note_epoch(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    semantics->operation = is(function->orders, "start")      ? FTH_SYNC_START
                           : is(function->orders, "post")     ? FTH_SYNC_POST
                           : is(function->orders, "complete") ? FTH_SYNC_COMPLETE
                           : is(function->orders, "wait")     ? FTH_SYNC_WAIT
                           : is(function->orders, "lock")     ? FTH_SYNC_LOCK
                           : is(function->orders, "unlock")   ? FTH_SYNC_LOCK
                                                              : FTH_SYNC_NONE;
    semantics->epoch.unlocks = is(function->orders, "unlock");
    semantics->epoch.lock_type = named(function, "lock_type");
    return semantics->operation != FTH_SYNC_NONE;
}

static bool note_thread(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    int made = find(function, "new", "thread");
    semantics->thread = (struct fth_thread_semantics){
        .slot = made >= 0 ? made : find_used(function, "thread"), .turn = FTH_TURNS};
    semantics->operation = is(function->orders, "create") ? FTH_SYNC_CREATE
                           : is(function->orders, "join") ? FTH_SYNC_JOIN
                                                          : FTH_SYNC_NONE;
    return semantics->thread.slot >= 0 && semantics->operation != FTH_SYNC_NONE;
}

static bool note_mutex(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    static const char *const words[FTH_TURNS] = {
        [FTH_TURN_ACQUIRE] = "acquire", [FTH_TURN_ACQUIRE_SHARED] = "acquire_shared",
        [FTH_TURN_RELEASE] = "release", [FTH_TURN_REACQUIRE] = "reacquire",
        [FTH_TURN_MEET] = "meet",
    };
    struct fth_thread_semantics *thread = &semantics->thread;
    *thread = (struct fth_thread_semantics){find_used(function, "lock"), FTH_TURN_ACQUIRE};
    while (thread->turn < FTH_TURNS && !is(function->orders, words[thread->turn]))
        thread->turn++;
    return thread->slot >= 0 && thread->turn < FTH_TURNS;
}

/* ---- what counts ---- */

/* Messages in a queue: how many there are is what counts. */
static bool note_queue(struct fth_tally_semantics *tally, const struct fth_function *function)
{
    static const struct {
        const char *word;
        enum fth_tick_kind tick;
    } words[] = {
        {"queue", FTH_TICK_MADE}, {"put", FTH_TICK_UP},      {"get", FTH_TICK_DOWN},
        {"level", FTH_TICK_LOOK}, {"notify", FTH_TICK_LOOK},
    };
    tally->form = FTH_TALLY_OF_QUEUE;
    tally->inode = named(function, "inode");
    tally->priority = named(function, "priority");
    tally->message_type = named(function, "type");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        tally->tick = words[i].tick;
        if (is(function->orders, words[i].word))
            return tally->tick == FTH_TICK_MADE ? tally->made_new >= 0
                                                : tally->inode >= 0 || tally->id >= 0;
    }
    return false;
}

static bool note_tally_form(struct fth_tally_semantics *tally, const struct fth_function *function)
{
    static const struct {
        const char *word;
        enum fth_tally_form form;
    } forms[] = {
        {"semaphore", FTH_TALLY_OF_NUMBER},
        {"operate", FTH_TALLY_OF_OPERATIONS},
        {"control", FTH_TALLY_OF_CONTROL},
        {"signal", FTH_TALLY_OF_SIGNAL},
        {"accept_signal", FTH_TALLY_OF_WAIT},
        {"told", FTH_TALLY_OF_WAIT}, /* the same, in traces of version 6 and earlier */
    };
    tally->operations = named(function, "operations");
    if (tally->operations < 0)
        tally->operations = named(function, "values");
    tally->index = named(function, "index");
    tally->made_new = named(function, "made");
    tally->sender = named(function, "sender");
    tally->code = named(function, "code");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        tally->form = forms[i].form;
        if (!is(function->orders, forms[i].word))
            continue;
        if (tally->form == FTH_TALLY_OF_NUMBER)
            tally->size = named(function, "n");
        if (tally->form == FTH_TALLY_OF_SIGNAL)
            tally->pid = named(function, "pid");
        return tally->form != FTH_TALLY_OF_NUMBER || tally->made_new >= 0;
    }
    return note_queue(tally, function);
}

/* Most of what counts is a handle of a class of its own. */
static bool note_tally(struct fth_tally_semantics *tally, const struct fth_function *function)
{
    static const char *const words[] = {
        [FTH_TICK_UP] = "up",      [FTH_TICK_DOWN] = "down",      [FTH_TICK_SET] = "set",
        [FTH_TICK_LOOK] = "level", [FTH_TICK_MADE] = "semaphore",
    };
    const int none = FTH_NO_PARAMETER;
    bool is_counter = is(function->orders, "counter");
    int semaphore = find_used(function, "semaphore");
    *tally = (struct fth_tally_semantics){
        .tick = FTH_TICK_UP,
        .slot = semaphore >= 0 ? semaphore : find_used(function, "counter"),
        .id = named(function, "id"),
        .pid = named_with_role(function, "pid"),
        .size = named_with_role(function, "size"),
        .inode = none,
        .amount = none,
        .operations = none,
        .index = none,
        .made_new = none,
        .sender = none,
        .code = none,
        .priority = none,
        .message_type = none,
    };
    if (tally->slot < 0)
        return note_tally_form(tally, function);
    tally->form = FTH_TALLY_OF_HANDLE;
    tally->amount = named(function, is_counter ? "count" : "value");
    while (tally->tick <= FTH_TICK_MADE && !is(function->orders, words[tally->tick]))
        tally->tick++;
    if (is_counter)
        tally->tick = FTH_TICK_SET;
    return tally->tick <= FTH_TICK_MADE;
}

/* ---- what a call is ---- */

static bool is_message(const struct fth_order_semantics *semantics,
                       const struct fth_function *function)
{
    bool matched = semantics->message.used >= 0 && is(function->kind, "recv");
    return (is(function->kind, "send") || is(function->kind, "recv") ||
            is(function->kind, "exchange") || is(function->kind, "probe")) &&
           (semantics->message.peers[0] >= 0 || matched);
}

/* Calls with an offset of their own are not about pipes, unless their rows say so, or they may
 * leave it out (preadv2). */
static bool note_transfer(struct fth_transfer_semantics *transfer,
                          const struct fth_function *function)
{
    bool gives = is(function->kind, "write") || is(function->orders, "give"),
         takes = is(function->kind, "read") || is(function->orders, "take") ||
                 is(function->orders, "look");
    bool placed = !function->orders && find(function, "flags", "rwf") < 0;
    int count = 0;
    *transfer = (struct fth_transfer_semantics){
        .descriptors = {FTH_NO_PARAMETER, FTH_NO_PARAMETER},
        .gives = gives,
        .looks = is(function->orders, "look"),
        .message_flags = find_start(function, "flags msg", true),
        .carried = named(function, "carried"),
    };
    for (int i = 0; i < (int)function->parameter_count; i++) {
        const struct fth_parameter *parameter = &function->parameters[i];
        if (placed && (is(parameter->role, "offset") || is(parameter->role, "aio")))
            return false;
        if (has_role(parameter, "use", "fd") && count < 2)
            transfer->descriptors[count++] = i;
    }
    return count > 0 && (gives || takes);
}

static enum fth_order_what with_socket(struct fth_order_semantics *semantics,
                                       const struct fth_function *function,
                                       enum fth_order_what what)
{
    semantics->socket.type = named_with_role(function, "type");
    semantics->socket.how = named_with_role(function, "how");
    return what;
}

static enum fth_order_what with_lock(struct fth_order_semantics *semantics,
                                     const struct fth_function *function)
{
    semantics->lock.whole_file =
        semantics->command >= 0 && is(function->parameters[semantics->command].role, "flags flock");
    return FTH_ORDERS_LOCK;
}

/* A range of descriptors, all streams, or what is below a stream that is opened again. */
static bool closes_unnamed(const struct fth_function *function)
{
    if (fth_layer_is(function->layer, FTH_LAYER_SYSTEM))
        return is(function->kind, "close");
    return fth_layer_is(function->layer, FTH_LAYER_STREAMS) &&
           ((is(function->kind, "close") && !function->parameter_count) ||
            (is(function->kind, "open") && find(function, "close", "stream") >= 0));
}

static bool has_peer(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (is(function->parameters[i].role, "peer"))
            return true;
    return false;
}

/* A buffer that must not be changed is read for the other process; another one is filled. */
static enum fth_order_what with_buffers(struct fth_order_semantics *semantics,
                                        const struct fth_function *function)
{
    semantics->remote.gives = semantics->remote.gets = false;
    for (size_t i = 0; i < function->parameter_count && semantics->collective.datatype >= 0; i++) {
        semantics->remote.gives |= is(function->parameters[i].type, "const void *");
        semantics->remote.gets |= is(function->parameters[i].type, "void *");
    }
    return FTH_ORDERS_REMOTE;
}

/* Of an open it depends on the file, and on how that is opened. */
static bool note_contact(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    bool is_open = is(function->kind, "open") &&
                   fth_layer_is(function->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS) &&
                   find_start(function, "path", true) >= 0 && !closes_unnamed(function);
    semantics->contact.flags = find_start(function, "flags open", true);
    semantics->contact.kind = is(function->orders, "listen")    ? FTH_CONTACT_LISTEN
                              : is(function->orders, "connect") ? FTH_CONTACT_CONNECT
                              : is(function->orders, "accept")  ? FTH_CONTACT_ACCEPT
                                                                : FTH_CONTACT_BOTH;
    return semantics->contact.kind != FTH_CONTACT_BOTH || is_open;
}

static enum fth_order_what what_of(struct fth_order_semantics *semantics,
                                   const struct fth_function *function)
{
    const char *kind = function->kind;
    if (note_tally(&semantics->tally, function))
        return FTH_ORDERS_TALLY;
    if (is(function->orders, "ready"))
        return FTH_ORDERS_READINESS;
    if (is(kind, "process"))
        return note_process(semantics, function) ? FTH_ORDERS_PROCESS : FTH_ORDERS_NOTHING;
    if (is(kind, "thread"))
        return note_thread(semantics, function) ? FTH_ORDERS_THREAD : FTH_ORDERS_NOTHING;
    if (is(kind, "mutex"))
        return note_mutex(semantics, function) ? FTH_ORDERS_MUTEX : FTH_ORDERS_NOTHING;
    if (note_contact(semantics, function))
        return FTH_ORDERS_CONTACT;
    if (fth_layer_is(function->layer, FTH_LAYER_SYSTEM) && find_used(function, "fd") >= 0)
        return is(kind, "lock") || (is(kind, "control") && semantics->command >= 0)
                   ? with_lock(semantics, function)
               : find(function, "close", "fd") >= 0 ? FTH_ORDERS_CLOSE
               : is(kind, "seek")                   ? FTH_ORDERS_SEEK
               : is(function->orders, "shut") ? with_socket(semantics, function, FTH_ORDERS_SHUT)
               : note_transfer(&semantics->transfer, function) ? FTH_ORDERS_TRANSFER
                                                               : FTH_ORDERS_NOTHING;
    if (is(kind, "pipe"))
        return with_socket(semantics, function, FTH_ORDERS_PIPE);
    if (closes_unnamed(function))
        return FTH_ORDERS_CLOSES;
    if (!fth_layer_is(function->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER))
        return FTH_ORDERS_NOTHING;
    if (is_message(semantics, function))
        return FTH_ORDERS_MESSAGE;
    if (function->collective && semantics->object >= 0)
        return FTH_ORDERS_COLLECTIVE;
    if (is(kind, "rma") && semantics->group.made < 0)
        return note_epoch(semantics, function) ? FTH_ORDERS_EPOCH
               : find_used(function, "win") >= 0 &&
                       (has_peer(function) || is(function->orders, "sync"))
                   ? with_buffers(semantics, function)
                   : FTH_ORDERS_NOTHING;
    if ((is(kind, "init") || is(kind, "finalize")) && find_used(function, "session") < 0 &&
        find(function, "new", "session") < 0)
        return FTH_ORDERS_ALL_OF_WORLD;
    if (is(kind, "start") && semantics->request.started >= 0 && semantics->nonblocking)
        return FTH_ORDERS_REQUEST;
    if (is(kind, "start") && semantics->request.completed >= 0)
        return is(function->orders, "parts")  ? FTH_ORDERS_READY
               : is(function->orders, "done") ? FTH_ORDERS_DONE
                                              : FTH_ORDERS_START;
    if ((is(kind, "wait") || is(kind, "test")) && semantics->request.completed >= 0)
        return is(function->orders, "parts") ? FTH_ORDERS_ARRIVED : FTH_ORDERS_COMPLETION;
    if (is(kind, "cancel"))
        return semantics->request.completed >= 0 ? FTH_ORDERS_CANCEL : FTH_ORDERS_CANCELLED;
    if (is(kind, "other") && find(function, "close", "request") >= 0)
        return FTH_ORDERS_FREE;
    if (semantics->group.made >= 0)
        return FTH_ORDERS_GROUP;
    if (is(kind, "comm") && semantics->made >= 0 && is(function->builds, "parent"))
        return FTH_ORDERS_PARENT;
    if (is(kind, "comm") && semantics->made >= 0 &&
        (semantics->group.form == FTH_MAKES_FROM_GROUP ||
         semantics->group.form == FTH_MAKES_FROM_GROUPS ||
         semantics->group.form == FTH_MAKES_JOINED))
        return FTH_ORDERS_FROM_GROUP;
    if (is(kind, "comm") && semantics->object >= 0 &&
        (semantics->group.rank >= 0 || semantics->group.size >= 0))
        return FTH_ORDERS_INQUIRY;
    if (is(kind, "topology") && semantics->object >= 0 && semantics->group.topology.sources >= 0)
        return FTH_ORDERS_INQUIRY;
    return FTH_ORDERS_NOTHING;
}

struct fth_order_semantics fth_order_semantics_of(const struct fth_function *function,
                                                  size_t number)
{
    int object = find_object(function, false);
    struct fth_order_semantics semantics = {
        .function = (uint16_t)number,
        .nonblocking = function->nonblocking,
        .operation = FTH_SYNC_NONE,
        .object = object,
        .made = find_object(function, true),
        .command = find_start(function, "flags ", false),
        .message = fth_order_message_of(function),
        .request = fth_order_request_of(function),
        .collective = fth_order_collective_of(function, object),
        .group = fth_order_group_of(function),
        .partition = fth_order_partition_of(function),
    };
    semantics.persistent = semantics.request.started >= 0 && !function->nonblocking;
    semantics.what = what_of(&semantics, function);
    return semantics;
}
