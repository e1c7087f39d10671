/* From a row of the catalogue to what its calls mean for the order. */
#include "order/build/sense.h"

#include <string.h>

/* ---- rows ---- */

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* The part of a role behind `deed`, if that is what the role is: "use comm" with "use" is
 * "comm". */
static bool has_role(const struct fth_parameter *parameter, const char *deed,
                     const char *handle_class)
{
    size_t length = strlen(deed), more = strlen(handle_class);
    const char *role = parameter->role;
    return strncmp(role, deed, length) == 0 && role[length] == ' ' &&
           strncmp(role + length + 1, handle_class, more) == 0 &&
           (role[length + 1 + more] == 0 || role[length + 1 + more] == '[' ||
            role[length + 1 + more] == ' ');
}

static int find(const struct fth_function *function, const char *deed, const char *handle_class)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (has_role(&function->parameters[i], deed, handle_class))
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

static void note_counts(struct fth_order_sense *sense, const struct fth_function *function, int i)
{
    if (sense->count_count == FTH_MOST_COUNTS)
        return;
    sense->counts[sense->count_count++] = i;
    sense->gets_unknown = strncmp(function->parameters[i].name, "send", 4) == 0;
}

static void note_out(struct fth_order_sense *sense, const struct fth_parameter *parameter, int i)
{
    if (parameter->role[3] == '[')
        sense->indices = i;
    else if (sense->out_count < 2)
        sense->outs[sense->out_count++] = i;
}

static void note_parameters(struct fth_order_sense *sense, const struct fth_function *function)
{
    int peers = 0, tags = 0, groups = 0;
    for (int i = 0; i < (int)function->parameter_count; i++) {
        const struct fth_parameter *parameter = &function->parameters[i];
        if (is(parameter->role, "peer") && peers < 2)
            sense->peers[peers++] = i;
        else if (is(parameter->role, "tag") && tags < 2)
            sense->tags[tags++] = i;
        else if (is(parameter->role, "root"))
            sense->root = i;
        else if (strncmp(parameter->role, "flags ", 6) == 0 && sense->command < 0)
            sense->command = i;
        else if (is(parameter->role, "count"))
            note_counts(sense, function, i);
        else if (strncmp(parameter->role, "status", 6) == 0)
            sense->status = i;
        else if (is(parameter->role, "out") || strncmp(parameter->role, "out[", 4) == 0)
            note_out(sense, parameter, i);
        else if (has_role(parameter, "use", "group") && groups < 2)
            sense->groups[groups++] = i;
    }
    const char *const objects[] = {"comm", "win", "mpi_file"};
    for (size_t i = 0; i < 3; i++) {
        if (sense->object < 0)
            sense->object = find_used(function, objects[i]);
        if (sense->made < 0)
            sense->made = find(function, "new", objects[i]);
    }
    sense->request = find_used(function, "request");
    sense->started = find(function, "new", "request");
    sense->message = find_used(function, "message");
    sense->matched = find(function, "new", "message");
    sense->group_made = find(function, "new", "group");
    sense->datatype = sense->last_datatype = find(function, "use", "datatype");
    for (int i = 0; i < (int)function->parameter_count; i++)
        if (has_role(&function->parameters[i], "use", "datatype"))
            sense->last_datatype = i;
}

static void note_names(struct fth_order_sense *sense, const struct fth_function *function)
{
    sense->colour = named(function, "color");
    sense->key = named(function, "key");
    sense->high = named(function, "high");
    sense->type = named(function, "split_type");
    sense->reorder = named(function, "reorder");
    sense->received = named_with_role(function, "recvcounts");
    sense->partitions = named(function, "partitions");
    sense->part = named(function, "partition");
    if (sense->part < 0)
        sense->part = named(function, "partition_low");
    sense->last_part = named(function, "partition_high");
    sense->parts = named_with_role(function, "array_of_partitions");
    sense->rank = named_with_role(function, "rank");
    /* how many there are on the other side is not the size of ours */
    sense->size = is(function->name, "MPI_Comm_remote_size") ? FTH_NO_PARAMETER
                                                             : named_with_role(function, "size");
    int ranges = named_with_role(function, "ranges");
    sense->ranks = ranges >= 0 ? ranges : named_with_role(function, "ranks");
    sense->dims = named_with_role(function, "dims");
    sense->periods = named_with_role(function, "periods");
    sense->remains = named_with_role(function, "remain_dims");
    sense->node_count = named(function, "nnodes");
    sense->pset = named_with_role(function, "pset_name");
    sense->text_tag = named_with_role(function, "stringtag");
    sense->process_count = named(function, "maxprocs");
    sense->port = named_with_role(function, "port_name");
    sense->sources = named_with_role(function, "sources");
    sense->destinations = named_with_role(function, "destinations");
    sense->edges = named_with_role(function, "edges");
    sense->degrees = named_with_role(function, sense->edges >= 0 ? "index" : "degrees");
    sense->local_leader = named(function, "local_leader");
    sense->remote_leader = named(function, "remote_leader");
    sense->peers_in = named(function, "peer_comm");
    sense->pid = named_with_role(function, "pid");
    sense->lock_type = named(function, "lock_type");
    sense->child_status = named_with_role(function, "wstatus");
    sense->options = named_with_role(function, "options");
    sense->idtype = named_with_role(function, "idtype");
    sense->id = named(function, "id");
    sense->socket_type = named_with_role(function, "type");
    sense->how = named_with_role(function, "how");
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
static enum fth_order_deed_kind child_of(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, "close", 5) == 0)
            return FTH_DEED_CHILD_ENDS;
    return strchr(function->result_type, '*') ? FTH_DEED_CHILD_BEGINS : FTH_DEED_CHILD;
}

static bool note_process(struct fth_order_sense *sense, const struct fth_function *function)
{
    sense->deed = is(function->orders, "fork")    ? FTH_DEED_FORK
                  : is(function->orders, "child") ? child_of(function)
                  : is(function->orders, "reap")  ? FTH_DEED_REAP
                                                  : FTH_DEED_NONE;
    return sense->deed != FTH_DEED_NONE;
}

static bool note_epoch(struct fth_order_sense *sense, const struct fth_function *function)
{
    sense->deed = is(function->orders, "start")      ? FTH_DEED_START
                  : is(function->orders, "post")     ? FTH_DEED_POST
                  : is(function->orders, "complete") ? FTH_DEED_COMPLETE
                  : is(function->orders, "wait")     ? FTH_DEED_WAIT
                  : is(function->orders, "lock")     ? FTH_DEED_LOCK
                  : is(function->orders, "unlock")   ? FTH_DEED_LOCK
                                                     : FTH_DEED_NONE;
    sense->unlocks = is(function->orders, "unlock");
    return sense->deed != FTH_DEED_NONE;
}

static bool note_thread(struct fth_order_sense *sense, const struct fth_function *function)
{
    int made = find(function, "new", "thread");
    sense->slot = made >= 0 ? made : find_used(function, "thread");
    sense->deed = is(function->orders, "create") ? FTH_DEED_CREATE
                  : is(function->orders, "join") ? FTH_DEED_JOIN
                                                 : FTH_DEED_NONE;
    return sense->slot >= 0 && sense->deed != FTH_DEED_NONE;
}

static bool note_mutex(struct fth_order_sense *sense, const struct fth_function *function)
{
    static const char *const words[FTH_TURNS] = {
        [FTH_TURN_ACQUIRE] = "acquire", [FTH_TURN_ACQUIRE_SHARED] = "acquire_shared",
        [FTH_TURN_RELEASE] = "release", [FTH_TURN_REACQUIRE] = "reacquire",
        [FTH_TURN_MEET] = "meet",
    };
    sense->slot = find_used(function, "lock");
    sense->turn = FTH_TURN_ACQUIRE;
    while (sense->turn < FTH_TURNS && !is(function->orders, words[sense->turn]))
        sense->turn++;
    return sense->slot >= 0 && sense->turn < FTH_TURNS;
}

/* Messages in a queue: how many there are is what counts. */
static bool note_queue(struct fth_order_sense *sense, const struct fth_function *function)
{
    static const struct {
        const char *word;
        enum fth_tick_kind tick;
    } words[] = {
        {"queue", FTH_TICK_MADE}, {"put", FTH_TICK_UP},      {"get", FTH_TICK_DOWN},
        {"level", FTH_TICK_LOOK}, {"notify", FTH_TICK_LOOK},
    };
    sense->tally = FTH_TALLY_OF_QUEUE;
    sense->inode = named(function, "inode");
    sense->priority = named(function, "priority");
    sense->message_type = named(function, "type");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        sense->tick = words[i].tick;
        if (is(function->orders, words[i].word))
            return sense->tick == FTH_TICK_MADE ? sense->made_new >= 0
                                                : sense->inode >= 0 || sense->id >= 0;
    }
    return false;
}

static bool note_tally_form(struct fth_order_sense *sense, const struct fth_function *function)
{
    static const struct {
        const char *word;
        enum fth_tally_form form;
    } forms[] = {
        {"semaphore", FTH_TALLY_OF_NUMBER}, {"operate", FTH_TALLY_OF_OPERATIONS},
        {"control", FTH_TALLY_OF_CONTROL},  {"signal", FTH_TALLY_OF_SIGNAL},
        {"told", FTH_TALLY_OF_WAIT},
    };
    sense->operations = named(function, "operations");
    if (sense->operations < 0)
        sense->operations = named(function, "values");
    sense->index = named(function, "index");
    sense->made_new = named(function, "made");
    sense->sender = named(function, "sender");
    sense->code = named(function, "code");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        sense->tally = forms[i].form;
        if (!is(function->orders, forms[i].word))
            continue;
        if (sense->tally == FTH_TALLY_OF_NUMBER)
            sense->size = named(function, "n");
        if (sense->tally == FTH_TALLY_OF_SIGNAL)
            sense->pid = named(function, "pid");
        return sense->tally != FTH_TALLY_OF_NUMBER || sense->made_new >= 0;
    }
    return note_queue(sense, function);
}

/* Most of what counts is a handle of a class of its own. */
static bool note_tally(struct fth_order_sense *sense, const struct fth_function *function)
{
    static const char *const words[] = {
        [FTH_TICK_UP] = "up",      [FTH_TICK_DOWN] = "down",      [FTH_TICK_SET] = "set",
        [FTH_TICK_LOOK] = "level", [FTH_TICK_MADE] = "semaphore",
    };
    bool is_counter = is(function->orders, "counter");
    sense->slot = find_used(function, "semaphore");
    if (sense->slot < 0)
        sense->slot = find_used(function, "counter");
    if (sense->slot < 0)
        return note_tally_form(sense, function);
    sense->tally = FTH_TALLY_OF_HANDLE;
    sense->amount = named(function, is_counter ? "count" : "value");
    sense->tick = FTH_TICK_UP;
    while (sense->tick <= FTH_TICK_MADE && !is(function->orders, words[sense->tick]))
        sense->tick++;
    if (is_counter)
        sense->tick = FTH_TICK_SET;
    return sense->tick <= FTH_TICK_MADE;
}

static bool is_message(const struct fth_order_sense *sense, const struct fth_function *function)
{
    bool matched = sense->message >= 0 && is(function->kind, "recv");
    return (is(function->kind, "send") || is(function->kind, "recv") ||
            is(function->kind, "exchange") || is(function->kind, "probe")) &&
           (sense->peers[0] >= 0 || matched);
}

/* Calls with an offset of their own are not about pipes, unless their rows say so, or they may
 * leave it out (preadv2). */
static bool note_transfer(struct fth_order_sense *sense, const struct fth_function *function)
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
            sense->descriptors[count++] = i;
        if (is(parameter->role, "flags msg"))
            sense->message_flags = i;
        if (is(parameter->name, "carried"))
            sense->carried = i;
    }
    sense->gives = gives;
    sense->looks = is(function->orders, "look");
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

static enum fth_order_what what_of(struct fth_order_sense *sense,
                                   const struct fth_function *function)
{
    const char *kind = function->kind;
    if (note_tally(sense, function))
        return FTH_ORDERS_TALLY;
    if (is(kind, "process"))
        return note_process(sense, function) ? FTH_ORDERS_PROCESS : FTH_ORDERS_NOTHING;
    if (is(kind, "thread"))
        return note_thread(sense, function) ? FTH_ORDERS_THREAD : FTH_ORDERS_NOTHING;
    if (is(kind, "mutex"))
        return note_mutex(sense, function) ? FTH_ORDERS_MUTEX : FTH_ORDERS_NOTHING;
    if (is(function->layer, "posix") && find_used(function, "fd") >= 0)
        return is(kind, "lock") || (is(kind, "control") && sense->command >= 0) ? FTH_ORDERS_LOCK
               : find(function, "close", "fd") >= 0                             ? FTH_ORDERS_CLOSE
               : is(kind, "seek")                                               ? FTH_ORDERS_SEEK
               : is(function->orders, "shut")                                   ? FTH_ORDERS_SHUT
               : note_transfer(sense, function) ? FTH_ORDERS_TRANSFER
                                                : FTH_ORDERS_NOTHING;
    if (is(kind, "pipe"))
        return FTH_ORDERS_PIPE;
    if (closes_unnamed(function))
        return FTH_ORDERS_CLOSES;
    if (!is(function->layer, "mpi") && !is(function->layer, "mpiio"))
        return FTH_ORDERS_NOTHING;
    if (is_message(sense, function))
        return FTH_ORDERS_MESSAGE;
    if (function->collective && sense->object >= 0)
        return FTH_ORDERS_COLLECTIVE;
    if (is(kind, "rma") && sense->group_made < 0)
        return note_epoch(sense, function)                             ? FTH_ORDERS_EPOCH
               : find_used(function, "win") >= 0 && has_peer(function) ? FTH_ORDERS_REMOTE
                                                                       : FTH_ORDERS_NOTHING;
    if ((is(kind, "init") || is(kind, "finalize")) && find_used(function, "session") < 0 &&
        find(function, "new", "session") < 0)
        return FTH_ORDERS_ALL_OF_WORLD;
    if (is(kind, "start") && sense->started >= 0 && sense->nonblocking)
        return FTH_ORDERS_REQUEST;
    if (is(kind, "start") && sense->request >= 0)
        return is(function->orders, "parts")  ? FTH_ORDERS_READY
               : is(function->orders, "done") ? FTH_ORDERS_DONE
                                              : FTH_ORDERS_START;
    if ((is(kind, "wait") || is(kind, "test")) && sense->request >= 0)
        return is(function->orders, "parts") ? FTH_ORDERS_ARRIVED : FTH_ORDERS_COMPLETION;
    if (is(kind, "cancel"))
        return sense->request >= 0 ? FTH_ORDERS_CANCEL : FTH_ORDERS_CANCELLED;
    if (is(kind, "other") && find(function, "close", "request") >= 0)
        return FTH_ORDERS_FREE;
    if (sense->group_made >= 0)
        return FTH_ORDERS_GROUP;
    if (is(kind, "comm") && sense->made >= 0 && is(function->builds, "parent"))
        return FTH_ORDERS_PARENT;
    if (is(kind, "comm") && sense->made >= 0 &&
        (sense->form == FTH_MAKES_FROM_GROUP || sense->form == FTH_MAKES_FROM_GROUPS ||
         sense->form == FTH_MAKES_JOINED))
        return FTH_ORDERS_FROM_GROUP;
    if (is(kind, "comm") && sense->object >= 0 && (sense->rank >= 0 || sense->size >= 0))
        return FTH_ORDERS_TOLD;
    if (is(kind, "topology") && sense->object >= 0 && sense->sources >= 0)
        return FTH_ORDERS_TOLD;
    return FTH_ORDERS_NOTHING;
}

struct fth_order_sense fth_order_sense_of(const struct fth_function *function, size_t number)
{
    struct fth_order_sense sense;
    memset(&sense, 0xff, sizeof sense); /* no parameter */
    sense.out_count = sense.count_count = 0;
    sense.gets_unknown = sense.gives = sense.looks = false;
    sense.function = (uint16_t)number;
    note_parameters(&sense, function);
    note_names(&sense, function);
    sense.rule = rule_of(function);
    sense.form = form_of(function, is(function->kind, "rma") || is(function->kind, "open"));
    sense.node = node_of(function);
    sense.nonblocking = function->nonblocking;
    sense.persistent = sense.started >= 0 && !function->nonblocking;
    sense.operation = find(function, "use", "op");
    sense.reduces = sense.operation >= 0;
    sense.gives_up =
        sense.object >= 0 && strncmp(function->parameters[sense.object].role, "close", 5) == 0;
    sense.each_its_own = named(function, "sendcounts") >= 0 || named(function, "recvcounts") >= 0;
    sense.whole_file =
        sense.command >= 0 && is(function->parameters[sense.command].role, "flags flock");
    sense.sends = is(function->kind, "send") || is(function->kind, "exchange");
    sense.receives = is(function->kind, "recv") || is(function->kind, "exchange");
    sense.probes = is(function->kind, "probe");
    sense.waits = is(function->kind, "wait");
    sense.both = is(function->orders, "both");
    sense.is_init = is(function->kind, "init");
    sense.is_finalize = is(function->kind, "finalize");
    sense.deed = FTH_DEED_NONE;
    sense.what = what_of(&sense, function);
    return sense;
}
