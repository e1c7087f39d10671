/* From a row of the catalogue to what its calls mean for the order. */
#include "order/build/order_semantics.h"

#include <string.h>

/* ---- rows ---- */

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* The part of a role behind `operation`, if that is what the role is: "use comm" with "use" is
 * "comm". */
static bool has_role(const struct fth_parameter *parameter, const char *operation,
                     const char *handle_class)
{
    size_t length = strlen(operation), more = strlen(handle_class);
    const char *role = parameter->role;
    return strncmp(role, operation, length) == 0 && role[length] == ' ' &&
           strncmp(role + length + 1, handle_class, more) == 0 &&
           (role[length + 1 + more] == 0 || role[length + 1 + more] == '[' ||
            role[length + 1 + more] == ' ');
}

static int find(const struct fth_function *function, const char *operation,
                const char *handle_class)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (has_role(&function->parameters[i], operation, handle_class))
            return (int)i;
    return FTH_NO_PARAMETER;
}

static int find_used(const struct fth_function *function, const char *handle_class)
{
    int used = find(function, "use", handle_class);
    return used >= 0 ? used : find(function, "close", handle_class);
}

static int named(const struct fth_function *function, const char *name)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (is(function->parameters[i].name, name))
            return (int)i;
    return FTH_NO_PARAMETER;
}

static int named_with_role(const struct fth_function *function, const char *name)
{
    int found = named(function, name);
    return found >= 0 && function->parameters[found].role[0] ? found : FTH_NO_PARAMETER;
}

static void note_counts(struct fth_order_semantics *semantics, const struct fth_function *function,
                        int i)
{
    if (semantics->count_count == FTH_MOST_COUNTS)
        return;
    semantics->counts[semantics->count_count++] = i;
    semantics->gets_unknown = strncmp(function->parameters[i].name, "send", 4) == 0;
}

static void note_out(struct fth_order_semantics *semantics, const struct fth_parameter *parameter,
                     int i)
{
    if (parameter->role[3] == '[')
        semantics->indices = i;
    else if (semantics->out_count < 2)
        semantics->outs[semantics->out_count++] = i;
}

static void note_parameters(struct fth_order_semantics *semantics,
                            const struct fth_function *function)
{
    int peers = 0, tags = 0, groups = 0;
    for (int i = 0; i < (int)function->parameter_count; i++) {
        const struct fth_parameter *parameter = &function->parameters[i];
        if (is(parameter->role, "peer") && peers < 2)
            semantics->peers[peers++] = i;
        else if (is(parameter->role, "tag") && tags < 2)
            semantics->tags[tags++] = i;
        else if (is(parameter->role, "root"))
            semantics->root = i;
        else if (strncmp(parameter->role, "flags ", 6) == 0 && semantics->command < 0)
            semantics->command = i;
        else if (is(parameter->role, "count"))
            note_counts(semantics, function, i);
        else if (strncmp(parameter->role, "status", 6) == 0)
            semantics->status = i;
        else if (is(parameter->role, "out") || strncmp(parameter->role, "out[", 4) == 0)
            note_out(semantics, parameter, i);
        else if (has_role(parameter, "use", "group") && groups < 2)
            semantics->groups[groups++] = i;
    }
    const char *const objects[] = {"comm", "win", "mpi_file"};
    for (size_t i = 0; i < 3; i++) {
        if (semantics->object < 0)
            semantics->object = find_used(function, objects[i]);
        if (semantics->made < 0)
            semantics->made = find(function, "new", objects[i]);
    }
    semantics->request = find_used(function, "request");
    semantics->started = find(function, "new", "request");
    semantics->message = find_used(function, "message");
    semantics->matched = find(function, "new", "message");
    semantics->group_made = find(function, "new", "group");
    semantics->datatype = semantics->last_datatype = find(function, "use", "datatype");
    for (int i = 0; i < (int)function->parameter_count; i++)
        if (has_role(&function->parameters[i], "use", "datatype"))
            semantics->last_datatype = i;
}

static void note_names(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    semantics->colour = named(function, "color");
    semantics->key = named(function, "key");
    semantics->high = named(function, "high");
    semantics->type = named(function, "split_type");
    semantics->reorder = named(function, "reorder");
    semantics->received = named_with_role(function, "recvcounts");
    semantics->partitions = named(function, "partitions");
    semantics->part = named(function, "partition");
    if (semantics->part < 0)
        semantics->part = named(function, "partition_low");
    semantics->last_part = named(function, "partition_high");
    semantics->parts = named_with_role(function, "array_of_partitions");
    semantics->rank = named_with_role(function, "rank");
    /* how many there are on the other side is not the size of ours */
    semantics->size = is(function->name, "MPI_Comm_remote_size")
                          ? FTH_NO_PARAMETER
                          : named_with_role(function, "size");
    int ranges = named_with_role(function, "ranges");
    semantics->ranks = ranges >= 0 ? ranges : named_with_role(function, "ranks");
    semantics->dims = named_with_role(function, "dims");
    semantics->periods = named_with_role(function, "periods");
    semantics->remains = named_with_role(function, "remain_dims");
    semantics->node_count = named(function, "nnodes");
    semantics->pset = named_with_role(function, "pset_name");
    semantics->text_tag = named_with_role(function, "stringtag");
    semantics->process_count = named(function, "maxprocs");
    semantics->port = named_with_role(function, "port_name");
    semantics->sources = named_with_role(function, "sources");
    semantics->destinations = named_with_role(function, "destinations");
    semantics->edges = named_with_role(function, "edges");
    semantics->degrees = named_with_role(function, semantics->edges >= 0 ? "index" : "degrees");
    semantics->local_leader = named(function, "local_leader");
    semantics->remote_leader = named(function, "remote_leader");
    semantics->peers_in = named(function, "peer_comm");
    semantics->pid = named_with_role(function, "pid");
    semantics->lock_type = named(function, "lock_type");
    semantics->child_status = named_with_role(function, "wstatus");
    semantics->options = named_with_role(function, "options");
    semantics->idtype = named_with_role(function, "idtype");
    semantics->id = named(function, "id");
    semantics->socket_type = named_with_role(function, "type");
    semantics->how = named_with_role(function, "how");
}

/* ---- words ---- */

static enum fth_order_rule rule_of(const struct fth_function *function)
{
    static const struct {
        const char *word;
        enum fth_order_rule rule;
    } rules[] = {
        {"barrier", FTH_RULE_BARRIER},
        {"all", FTH_RULE_ALL},
        {"each", FTH_RULE_ALL},
        {"from_root", FTH_RULE_FROM_ROOT},
        {"to_root", FTH_RULE_TO_ROOT},
        {"upwards", FTH_RULE_UPWARDS},
        {"neighbours", FTH_RULE_NEIGHBOURS},
        {"fence", FTH_RULE_FENCE},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is(function->orders, rules[i].word))
            return rules[i].rule;
    return FTH_RULE_NONE;
}

static enum fth_making_form form_of(const struct fth_function *function, bool of_two)
{
    static const struct {
        const char *word;
        enum fth_making_form form;
    } forms[] = {
        {"split", FTH_MAKES_SPLIT},        {"split_type", FTH_MAKES_SPLIT_TYPE},
        {"group", FTH_MAKES_OF_GROUP},     {"cart", FTH_MAKES_CART},
        {"cart_sub", FTH_MAKES_CART_SUB},  {"spawn", FTH_MAKES_SPAWN},
        {"graph", FTH_MAKES_GRAPH},        {"merge", FTH_MAKES_MERGED},
        {"inter", FTH_MAKES_INTER},        {"accept", FTH_MAKES_ACCEPTED},
        {"connect", FTH_MAKES_CONNECTED},  {"join", FTH_MAKES_JOINED},
        {"groups", FTH_MAKES_FROM_GROUPS},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (is(function->builds, forms[i].word))
            return forms[i].form == FTH_MAKES_OF_GROUP && !function->collective
                       ? FTH_MAKES_FROM_GROUP
                       : forms[i].form;
    return function->copies || of_two ? FTH_MAKES_SAME : FTH_MAKES_UNKNOWN;
}

static enum fth_node_form node_of(const struct fth_function *function)
{
    static const struct {
        const char *word;
        enum fth_node_form form;
    } forms[] = {
        {"members", FTH_NODE_MEMBERS},
        {"remote_members", FTH_NODE_REMOTE},
        {"union", FTH_NODE_UNION},
        {"intersection", FTH_NODE_INTERSECTION},
        {"difference", FTH_NODE_DIFFERENCE},
        {"incl", FTH_NODE_INCL},
        {"excl", FTH_NODE_EXCL},
        {"range_incl", FTH_NODE_RANGE_INCL},
        {"range_excl", FTH_NODE_RANGE_EXCL},
        {"pset", FTH_NODE_PSET},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (is(function->builds, forms[i].word))
            return forms[i].form;
    return FTH_NODE_UNKNOWN;
}

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
    semantics->unlocks = is(function->orders, "unlock");
    return semantics->operation != FTH_SYNC_NONE;
}

static bool note_thread(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    int made = find(function, "new", "thread");
    semantics->slot = made >= 0 ? made : find_used(function, "thread");
    semantics->operation = is(function->orders, "create") ? FTH_SYNC_CREATE
                           : is(function->orders, "join") ? FTH_SYNC_JOIN
                                                          : FTH_SYNC_NONE;
    return semantics->slot >= 0 && semantics->operation != FTH_SYNC_NONE;
}

static bool note_mutex(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    static const char *const words[FTH_TURNS] = {
        [FTH_TURN_ACQUIRE] = "acquire", [FTH_TURN_ACQUIRE_SHARED] = "acquire_shared",
        [FTH_TURN_RELEASE] = "release", [FTH_TURN_REACQUIRE] = "reacquire",
        [FTH_TURN_MEET] = "meet",
    };
    semantics->slot = find_used(function, "lock");
    semantics->turn = FTH_TURN_ACQUIRE;
    while (semantics->turn < FTH_TURNS && !is(function->orders, words[semantics->turn]))
        semantics->turn++;
    return semantics->slot >= 0 && semantics->turn < FTH_TURNS;
}

/* Messages in a queue: how many there are is what counts. */
static bool note_queue(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    static const struct {
        const char *word;
        enum fth_tick_kind tick;
    } words[] = {
        {"queue", FTH_TICK_MADE}, {"put", FTH_TICK_UP},      {"get", FTH_TICK_DOWN},
        {"level", FTH_TICK_LOOK}, {"notify", FTH_TICK_LOOK},
    };
    semantics->tally = FTH_TALLY_OF_QUEUE;
    semantics->inode = named(function, "inode");
    semantics->priority = named(function, "priority");
    semantics->message_type = named(function, "type");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        semantics->tick = words[i].tick;
        if (is(function->orders, words[i].word))
            return semantics->tick == FTH_TICK_MADE ? semantics->made_new >= 0
                                                    : semantics->inode >= 0 || semantics->id >= 0;
    }
    return false;
}

static bool note_tally_form(struct fth_order_semantics *semantics,
                            const struct fth_function *function)
{
    static const struct {
        const char *word;
        enum fth_tally_form form;
    } forms[] = {
        {"semaphore", FTH_TALLY_OF_NUMBER}, {"operate", FTH_TALLY_OF_OPERATIONS},
        {"control", FTH_TALLY_OF_CONTROL},  {"signal", FTH_TALLY_OF_SIGNAL},
        {"told", FTH_TALLY_OF_WAIT},
    };
    semantics->operations = named(function, "operations");
    if (semantics->operations < 0)
        semantics->operations = named(function, "values");
    semantics->index = named(function, "index");
    semantics->made_new = named(function, "made");
    semantics->sender = named(function, "sender");
    semantics->code = named(function, "code");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        semantics->tally = forms[i].form;
        if (!is(function->orders, forms[i].word))
            continue;
        if (semantics->tally == FTH_TALLY_OF_NUMBER)
            semantics->size = named(function, "n");
        if (semantics->tally == FTH_TALLY_OF_SIGNAL)
            semantics->pid = named(function, "pid");
        return semantics->tally != FTH_TALLY_OF_NUMBER || semantics->made_new >= 0;
    }
    return note_queue(semantics, function);
}

/* Most of what counts is a handle of a class of its own. */
static bool note_tally(struct fth_order_semantics *semantics, const struct fth_function *function)
{
    static const char *const words[] = {
        [FTH_TICK_UP] = "up",      [FTH_TICK_DOWN] = "down",      [FTH_TICK_SET] = "set",
        [FTH_TICK_LOOK] = "level", [FTH_TICK_MADE] = "semaphore",
    };
    bool is_counter = is(function->orders, "counter");
    semantics->slot = find_used(function, "semaphore");
    if (semantics->slot < 0)
        semantics->slot = find_used(function, "counter");
    if (semantics->slot < 0)
        return note_tally_form(semantics, function);
    semantics->tally = FTH_TALLY_OF_HANDLE;
    semantics->amount = named(function, is_counter ? "count" : "value");
    semantics->tick = FTH_TICK_UP;
    while (semantics->tick <= FTH_TICK_MADE && !is(function->orders, words[semantics->tick]))
        semantics->tick++;
    if (is_counter)
        semantics->tick = FTH_TICK_SET;
    return semantics->tick <= FTH_TICK_MADE;
}

static bool is_message(const struct fth_order_semantics *semantics,
                       const struct fth_function *function)
{
    bool matched = semantics->message >= 0 && is(function->kind, "recv");
    return (is(function->kind, "send") || is(function->kind, "recv") ||
            is(function->kind, "exchange") || is(function->kind, "probe")) &&
           (semantics->peers[0] >= 0 || matched);
}

/* Calls with an offset of their own are not about pipes, unless their rows say so, or they may
 * leave it out (preadv2). */
static bool note_transfer(struct fth_order_semantics *semantics,
                          const struct fth_function *function)
{
    bool gives = is(function->kind, "write") || is(function->orders, "give"),
         takes = is(function->kind, "read") || is(function->orders, "take") ||
                 is(function->orders, "look");
    bool placed = !function->orders && find(function, "flags", "rwf") < 0;
    int count = 0;
    for (int i = 0; i < (int)function->parameter_count; i++) {
        const struct fth_parameter *parameter = &function->parameters[i];
        if (placed && (is(parameter->role, "offset") || is(parameter->role, "aio")))
            return false;
        if (has_role(parameter, "use", "fd") && count < 2)
            semantics->descriptors[count++] = i;
        if (is(parameter->role, "flags msg"))
            semantics->message_flags = i;
        if (is(parameter->name, "carried"))
            semantics->carried = i;
    }
    semantics->gives = gives;
    semantics->looks = is(function->orders, "look");
    return count > 0 && (gives || takes);
}

/* A range of descriptors, all streams, or what is below a stream that is opened again. */
static bool closes_unnamed(const struct fth_function *function)
{
    if (is(function->layer, "posix"))
        return is(function->kind, "close");
    return is(function->layer, "stdio") &&
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

static enum fth_order_what what_of(struct fth_order_semantics *semantics,
                                   const struct fth_function *function)
{
    const char *kind = function->kind;
    if (note_tally(semantics, function))
        return FTH_ORDERS_TALLY;
    if (is(kind, "process"))
        return note_process(semantics, function) ? FTH_ORDERS_PROCESS : FTH_ORDERS_NOTHING;
    if (is(kind, "thread"))
        return note_thread(semantics, function) ? FTH_ORDERS_THREAD : FTH_ORDERS_NOTHING;
    if (is(kind, "mutex"))
        return note_mutex(semantics, function) ? FTH_ORDERS_MUTEX : FTH_ORDERS_NOTHING;
    if (is(function->layer, "posix") && find_used(function, "fd") >= 0)
        return is(kind, "lock") || (is(kind, "control") && semantics->command >= 0)
                   ? FTH_ORDERS_LOCK
               : find(function, "close", "fd") >= 0 ? FTH_ORDERS_CLOSE
               : is(kind, "seek")                   ? FTH_ORDERS_SEEK
               : is(function->orders, "shut")       ? FTH_ORDERS_SHUT
               : note_transfer(semantics, function) ? FTH_ORDERS_TRANSFER
                                                    : FTH_ORDERS_NOTHING;
    if (is(kind, "pipe"))
        return FTH_ORDERS_PIPE;
    if (closes_unnamed(function))
        return FTH_ORDERS_CLOSES;
    if (!is(function->layer, "mpi") && !is(function->layer, "mpiio"))
        return FTH_ORDERS_NOTHING;
    if (is_message(semantics, function))
        return FTH_ORDERS_MESSAGE;
    if (function->collective && semantics->object >= 0)
        return FTH_ORDERS_COLLECTIVE;
    if (is(kind, "rma") && semantics->group_made < 0)
        return note_epoch(semantics, function)                         ? FTH_ORDERS_EPOCH
               : find_used(function, "win") >= 0 && has_peer(function) ? FTH_ORDERS_REMOTE
                                                                       : FTH_ORDERS_NOTHING;
    if ((is(kind, "init") || is(kind, "finalize")) && find_used(function, "session") < 0 &&
        find(function, "new", "session") < 0)
        return FTH_ORDERS_ALL_OF_WORLD;
    if (is(kind, "start") && semantics->started >= 0 && semantics->nonblocking)
        return FTH_ORDERS_REQUEST;
    if (is(kind, "start") && semantics->request >= 0)
        return is(function->orders, "parts")  ? FTH_ORDERS_READY
               : is(function->orders, "done") ? FTH_ORDERS_DONE
                                              : FTH_ORDERS_START;
    if ((is(kind, "wait") || is(kind, "test")) && semantics->request >= 0)
        return is(function->orders, "parts") ? FTH_ORDERS_ARRIVED : FTH_ORDERS_COMPLETION;
    if (is(kind, "cancel"))
        return semantics->request >= 0 ? FTH_ORDERS_CANCEL : FTH_ORDERS_CANCELLED;
    if (is(kind, "other") && find(function, "close", "request") >= 0)
        return FTH_ORDERS_FREE;
    if (semantics->group_made >= 0)
        return FTH_ORDERS_GROUP;
    if (is(kind, "comm") && semantics->made >= 0 && is(function->builds, "parent"))
        return FTH_ORDERS_PARENT;
    if (is(kind, "comm") && semantics->made >= 0 &&
        (semantics->form == FTH_MAKES_FROM_GROUP || semantics->form == FTH_MAKES_FROM_GROUPS ||
         semantics->form == FTH_MAKES_JOINED))
        return FTH_ORDERS_FROM_GROUP;
    if (is(kind, "comm") && semantics->object >= 0 &&
        (semantics->rank >= 0 || semantics->size >= 0))
        return FTH_ORDERS_TOLD;
    if (is(kind, "topology") && semantics->object >= 0 && semantics->sources >= 0)
        return FTH_ORDERS_TOLD;
    return FTH_ORDERS_NOTHING;
}

struct fth_order_semantics fth_order_semantics_of(const struct fth_function *function,
                                                  size_t number)
{
    struct fth_order_semantics semantics;
    memset(&semantics, 0xff, sizeof semantics); /* no parameter */
    semantics.out_count = semantics.count_count = 0;
    semantics.gets_unknown = semantics.gives = semantics.looks = false;
    semantics.function = (uint16_t)number;
    note_parameters(&semantics, function);
    note_names(&semantics, function);
    semantics.rule = rule_of(function);
    semantics.form = form_of(function, is(function->kind, "rma") || is(function->kind, "open"));
    semantics.node = node_of(function);
    semantics.nonblocking = function->nonblocking;
    semantics.persistent = semantics.started >= 0 && !function->nonblocking;
    semantics.reduction = find(function, "use", "op");
    semantics.reduces = semantics.reduction >= 0;
    semantics.gives_up = semantics.object >= 0 &&
                         strncmp(function->parameters[semantics.object].role, "close", 5) == 0;
    semantics.each_its_own =
        named(function, "sendcounts") >= 0 || named(function, "recvcounts") >= 0;
    semantics.whole_file =
        semantics.command >= 0 && is(function->parameters[semantics.command].role, "flags flock");
    semantics.sends = is(function->kind, "send") || is(function->kind, "exchange");
    semantics.receives = is(function->kind, "recv") || is(function->kind, "exchange");
    semantics.probes = is(function->kind, "probe");
    semantics.waits = is(function->kind, "wait");
    semantics.both = is(function->orders, "both");
    semantics.is_init = is(function->kind, "init");
    semantics.is_finalize = is(function->kind, "finalize");
    semantics.operation = FTH_SYNC_NONE;
    semantics.what = what_of(&semantics, function);
    return semantics;
}
