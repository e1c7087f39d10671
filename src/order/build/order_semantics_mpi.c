/* What the parameters of calls of MPI mean for the order: of messages, requests, collective calls,
 * groups, topologies and partitions. */
#include "order/build/order_semantics.h"
#include "order/build/row_roles.h"

#include <string.h>

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
        {"free", FTH_RULE_FREE},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is(function->orders, rules[i].word))
            return rules[i].rule;
    return FTH_RULE_NONE;
}

static enum fth_creation_form form_of(const struct fth_function *function, bool of_two)
{
    static const struct {
        const char *word;
        enum fth_creation_form form;
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

static void note_outs(struct fth_request_semantics *request, const struct fth_function *function)
{
    for (int i = 0; i < (int)function->parameter_count; i++) {
        const char *role = function->parameters[i].role;
        if (strncmp(role, "out[", 4) == 0)
            request->indices = i;
        else if (is(role, "out") && request->out_count < 2)
            request->outs[request->out_count++] = i;
    }
}

struct fth_request_semantics fth_order_request_of(const struct fth_function *function)
{
    struct fth_request_semantics request = {
        .waits = is(function->kind, "wait"),
        .completed = find_used(function, "request"),
        .started = find(function, "new", "request"),
        .outs = {FTH_NO_PARAMETER, FTH_NO_PARAMETER},
        .indices = FTH_NO_PARAMETER,
    };
    note_outs(&request, function);
    return request;
}

/* The parameters with this role: as many as there are, at most two. */
static void find_two(const struct fth_function *function, const char *role, int found[2])
{
    int count = 0;
    found[0] = found[1] = FTH_NO_PARAMETER;
    for (int i = 0; i < (int)function->parameter_count && count < 2; i++)
        if (is(function->parameters[i].role, role))
            found[count++] = i;
}

struct fth_message_semantics fth_order_message_of(const struct fth_function *function)
{
    struct fth_message_semantics message = {
        .sends = is(function->kind, "send") || is(function->kind, "exchange"),
        .receives = is(function->kind, "recv") || is(function->kind, "exchange"),
        .probes = is(function->kind, "probe"),
        .both = is(function->orders, "both"),
        .status = find_start(function, "status", true),
        .used = find_used(function, "message"),
        .matched = find(function, "new", "message"),
    };
    find_two(function, "peer", message.peers);
    find_two(function, "tag", message.tags);
    return message;
}

static void note_counts(struct fth_collective_semantics *collective,
                        const struct fth_function *function)
{
    for (int i = 0; i < (int)function->parameter_count; i++) {
        const struct fth_parameter *parameter = &function->parameters[i];
        if (!is(parameter->role, "count") || collective->count_count == FTH_MOST_COUNTS)
            continue;
        collective->counts[collective->count_count++] = i;
        collective->gets_unknown = strncmp(parameter->name, "send", 4) == 0;
    }
}

static int find_last_used(const struct fth_function *function, const char *handle_class)
{
    int found = FTH_NO_PARAMETER;
    for (int i = 0; i < (int)function->parameter_count; i++)
        if (has_role(&function->parameters[i], "use", handle_class))
            found = i;
    return found;
}

struct fth_collective_semantics fth_order_collective_of(const struct fth_function *function,
                                                        int object)
{
    struct fth_collective_semantics collective = {
        .rule = rule_of(function),
        .is_init = is(function->kind, "init"),
        .is_finalize = is(function->kind, "finalize"),
        .root = find_start(function, "root", true),
        .hints = find(function, "use", "info"),
        .datatype = find(function, "use", "datatype"),
        .last_datatype = find_last_used(function, "datatype"),
        .received = named_with_role(function, "recvcounts"),
        .reduction = find(function, "use", "op"),
        .gives_up = object >= 0 && strncmp(function->parameters[object].role, "close", 5) == 0,
        .each_its_own = named(function, "sendcounts") >= 0 || named(function, "recvcounts") >= 0,
    };
    collective.reduces = collective.reduction >= 0;
    note_counts(&collective, function);
    return collective;
}

static struct fth_topology_semantics topology_of(const struct fth_function *function)
{
    int edges = named_with_role(function, "edges");
    return (struct fth_topology_semantics){
        .reorder = named(function, "reorder"),
        .dims = named_with_role(function, "dims"),
        .periods = named_with_role(function, "periods"),
        .remains = named_with_role(function, "remain_dims"),
        .sources = named_with_role(function, "sources"),
        .destinations = named_with_role(function, "destinations"),
        .degrees = named_with_role(function, edges >= 0 ? "index" : "degrees"),
        .edges = edges,
    };
}

static void note_groups(struct fth_group_semantics *group, const struct fth_function *function)
{
    int count = 0;
    group->used[0] = group->used[1] = FTH_NO_PARAMETER;
    for (int i = 0; i < (int)function->parameter_count && count < 2; i++)
        if (has_role(&function->parameters[i], "use", "group"))
            group->used[count++] = i;
}

struct fth_group_semantics fth_order_group_of(const struct fth_function *function)
{
    int ranges = named_with_role(function, "ranges");
    struct fth_group_semantics group = {
        .form = form_of(function, is(function->kind, "rma") || is(function->kind, "open")),
        .node = node_of(function),
        .made = find(function, "new", "group"),
        .colour = named(function, "color"),
        .key = named(function, "key"),
        .split_type = named(function, "split_type"),
        .rank = named_with_role(function, "rank"),
        /* how many there are on the other side is not the size of ours */
        .size = is(function->name, "MPI_Comm_remote_size") ? FTH_NO_PARAMETER
                                                           : named_with_role(function, "size"),
        .ranks = ranges >= 0 ? ranges : named_with_role(function, "ranks"),
        .local_leader = named(function, "local_leader"),
        .remote_leader = named(function, "remote_leader"),
        .peer_comm = named(function, "peer_comm"),
        .high = named(function, "high"),
        .node_count = named(function, "nnodes"),
        .pset = named_with_role(function, "pset_name"),
        .tag = named_with_role(function, "stringtag"),
        .process_count = named(function, "maxprocs"),
        .port = named_with_role(function, "port_name"),
        .topology = topology_of(function),
    };
    note_groups(&group, function);
    return group;
}

struct fth_partition_semantics fth_order_partition_of(const struct fth_function *function)
{
    int part = named(function, "partition");
    return (struct fth_partition_semantics){
        .count = named(function, "partitions"),
        .first = part >= 0 ? part : named(function, "partition_low"),
        .last = named(function, "partition_high"),
        .list = named_with_role(function, "array_of_partitions"),
    };
}
