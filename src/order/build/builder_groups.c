/* What calls say of communicators and groups of MPI: who is to be in those that they make. */
#include "base/memory.h"
#include "order/build/builder.h"

#include <string.h>
#include <strings.h>

static int64_t *copy_of(const struct fth_value *value, size_t *count)
{
    *count = value && value->type == FTH_VALUE_INTEGERS ? value->count : 0;
    int64_t *copy = fth_new(*count + 1, sizeof *copy);
    if (*count)
        memcpy(copy, value->integers, *count * sizeof *copy);
    return copy;
}

/* The dimensions that remain, of those of the whole. */
static void make_part(struct fth_topology *part, const struct fth_topology *whole,
                      const struct fth_value *remains)
{
    part->remains = copy_of(remains, &part->remain_count);
    if (!whole || !whole->known || !whole->dim_count || part->remain_count != whole->dim_count) {
        part->remain_count = 0;
        return;
    }
    part->dims = fth_new(whole->dim_count, sizeof *part->dims);
    part->periods = fth_new(whole->dim_count, sizeof *part->periods);
    for (size_t i = 0; i < whole->dim_count; i++) {
        if (!part->remains[i])
            continue;
        part->dims[part->dim_count] = whole->dims[i];
        part->periods[part->dim_count++] = whole->periods[i];
    }
    part->known = true;
}

/* Of a longer list than is kept the end is missing. */
static struct fth_order_list list_in(const struct fth_order_builder *builder, int parameter)
{
    const struct fth_value *value = fth_builder_value(builder, parameter);
    struct fth_order_list list = {.whole = value && value->type == FTH_VALUE_INTEGERS &&
                                           value->count < FTH_MOST_INTEGERS};
    list.all = copy_of(value, &list.count);
    return list;
}

static void note_graph(const struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_topology *topology)
{
    topology->graph = fth_new(1, sizeof *topology->graph);
    struct fth_reported_graph *graph = topology->graph;
    graph->form = semantics->group.topology.edges >= 0     ? FTH_GRAPH_OF_NODES
                  : semantics->group.topology.degrees >= 0 ? FTH_GRAPH_OF_EDGES
                                                           : FTH_GRAPH_OF_SOURCES;
    graph->from = list_in(builder, semantics->group.topology.sources);
    graph->degrees = list_in(builder, semantics->group.topology.degrees);
    graph->to = list_in(builder, semantics->group.topology.edges >= 0
                                     ? semantics->group.topology.edges
                                     : semantics->group.topology.destinations);
}

static void note_topology(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, uint32_t made)
{
    uint32_t from = fth_builder_member(builder, semantics->object, false);
    struct fth_topology *whole =
        from != FTH_NO_MEMBER ? builder->operations->mpi.members[from].topology : NULL;
    if (semantics->group.form == FTH_MAKES_SAME) {
        builder->operations->mpi.members[made].topology = whole;
        return;
    }
    struct fth_topology *topology = fth_order_operations_add_topology(builder->operations);
    if (semantics->group.form == FTH_MAKES_CART) {
        size_t periods;
        topology->dims = copy_of(fth_builder_value(builder, semantics->group.topology.dims),
                                 &topology->dim_count);
        topology->periods =
            copy_of(fth_builder_value(builder, semantics->group.topology.periods), &periods);
        if (periods != topology->dim_count)
            topology->dim_count = 0;
        topology->known = topology->dim_count > 0;
    } else if (semantics->group.form == FTH_MAKES_CART_SUB) {
        make_part(topology, whole, fth_builder_value(builder, semantics->group.topology.remains));
    } else {
        note_graph(builder, semantics, topology);
    }
    builder->operations->mpi.members[made].topology = topology;
}

static void note_tag(const struct fth_order_builder *builder,
                     const struct fth_order_semantics *semantics,
                     struct fth_order_creation *creation)
{
    const struct fth_value *text = fth_builder_value(builder, semantics->group.tag);
    creation->tag = fth_builder_tag_in(builder, semantics->message.tags[0]);
    creation->text = text && text->type == FTH_VALUE_TEXT ? fth_text_copy(text->text) : NULL;
}

static void note_meeting(const struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics,
                         struct fth_order_creation *creation)
{
    const struct fth_value *port = fth_builder_value(builder, semantics->group.port);
    creation->text = port && port->type == FTH_VALUE_TEXT ? fth_text_copy(port->text) : NULL;
    creation->colour = builder->call->start;
    creation->key = builder->call->end;
}

bool fth_builder_has_hints(const struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics)
{
    const struct fth_value *hints = fth_builder_value(builder, semantics->collective.hints);
    return hints && (hints->type != FTH_VALUE_HANDLE || hints->integer != FTH_HANDLE_NULL);
}

void fth_builder_creation(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, uint32_t operation)
{
    struct fth_order_creation creation = {.operation = operation,
                                          .form = semantics->group.form,
                                          .node = UINT32_MAX,
                                          .other_node = UINT32_MAX};
    creation.made = fth_builder_member(builder, semantics->made, true);
    creation.colour = fth_builder_integer(builder, semantics->group.colour, 0);
    creation.key = fth_builder_integer(
        builder, semantics->group.high >= 0 ? semantics->group.high : semantics->group.key, 0);
    creation.reorders = fth_builder_integer(builder, semantics->group.topology.reorder, 0) != 0;
    if (semantics->group.form == FTH_MAKES_INTER) {
        creation.colour = fth_builder_integer(builder, semantics->group.local_leader, -1);
        creation.key = fth_builder_integer(builder, semantics->group.remote_leader, -1);
        creation.tag = fth_builder_tag_in(builder, semantics->message.tags[0]);
        creation.node = fth_builder_member(builder, semantics->group.peer_comm, false);
    }
    if (semantics->group.form == FTH_MAKES_FROM_GROUP ||
        semantics->group.form == FTH_MAKES_FROM_GROUPS)
        note_tag(builder, semantics, &creation);
    if (semantics->group.form == FTH_MAKES_GRAPH)
        creation.key = fth_builder_integer(builder, semantics->group.node_count, 0);
    if (semantics->group.form == FTH_MAKES_SPAWN) {
        creation.colour = builder->call->start;
        creation.key = fth_builder_integer(builder, semantics->group.process_count, INT64_MAX);
    }
    if (semantics->group.form == FTH_MAKES_ACCEPTED ||
        semantics->group.form == FTH_MAKES_CONNECTED || semantics->group.form == FTH_MAKES_JOINED)
        note_meeting(builder, semantics, &creation);
    const struct fth_value *type = fth_builder_value(builder, semantics->group.split_type);
    if (semantics->group.form == FTH_MAKES_SPLIT_TYPE &&
        !(type && type->text && strcmp(type->text, "MPI_COMM_TYPE_SHARED") == 0))
        creation.form = FTH_MAKES_UNKNOWN;
    const struct fth_value *group = fth_builder_value(builder, semantics->group.used[0]);
    if (group)
        creation.node = fth_builder_node(builder, semantics->group.used[0]);
    creation.other_node = fth_builder_node(builder, semantics->group.used[1]);
    if (creation.made != FTH_NO_MEMBER &&
        !builder->operations->mpi.members[creation.made].topology &&
        (semantics->group.form == FTH_MAKES_CART || semantics->group.form == FTH_MAKES_CART_SUB ||
         semantics->group.form == FTH_MAKES_GRAPH || semantics->group.form == FTH_MAKES_SAME))
        note_topology(builder, semantics, creation.made);
    if (creation.made != FTH_NO_MEMBER)
        builder->operations->mpi.members[creation.made].hinted =
            fth_builder_has_hints(builder, semantics);
    FTH_GROW(builder->operations->mpi.creations, builder->operations->mpi.creation_count);
    builder->operations->mpi.creations[builder->operations->mpi.creation_count++] = creation;
}

/* A set of processes by name: those of the world, or we alone; others are the library's. */
static void choose_set(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_group_node *node)
{
    const struct fth_value *value = fth_builder_value(builder, semantics->group.pset);
    const char *name = value && value->type == FTH_VALUE_TEXT ? value->text : "";
    node->form = FTH_NODE_UNKNOWN;
    if (strcasecmp(name, "mpi://WORLD") != 0 && strcasecmp(name, "mpi://SELF") != 0)
        return;
    node->form = FTH_NODE_MEMBERS;
    node->one = strcasecmp(name, "mpi://WORLD") == 0
                    ? builder->groups.world
                    : fth_builder_only_member(builder, FTH_MEMBER_SELF, "MPI_COMM_SELF");
}

static void note_group(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics)
{
    const struct fth_value *made = fth_builder_value(builder, semantics->group.made);
    if (!made || made->type != FTH_VALUE_HANDLE || made->integer < 0 ||
        made->integer >= FTH_BUILDER_MOST_HANDLES)
        return;
    struct fth_group_node node = {.form = semantics->group.node};
    if (node.form == FTH_NODE_PSET)
        choose_set(builder, semantics, &node);
    else if (node.form == FTH_NODE_MEMBERS || node.form == FTH_NODE_REMOTE)
        node.one = fth_builder_member(builder, semantics->object, false);
    else
        node.one = fth_builder_node(builder, semantics->group.used[0]);
    node.other = fth_builder_node(builder, semantics->group.used[1]);
    const struct fth_value *ranks = fth_builder_value(builder, semantics->group.ranks);
    if (ranks) {
        node.ranks = copy_of(ranks, &node.rank_count);
        /* they are not kept, or there may be more */
        if (ranks->type != FTH_VALUE_INTEGERS || ranks->count == FTH_MOST_INTEGERS)
            node.form = FTH_NODE_UNKNOWN;
    }
    FTH_GROW(builder->operations->mpi.nodes, builder->operations->mpi.node_count);
    builder->operations->mpi.nodes[builder->operations->mpi.node_count++] = node;
    builder->groups.nodes = fth_reach(builder->groups.nodes, &builder->groups.node_room,
                                      (uint32_t)made->integer, sizeof *builder->groups.nodes);
    builder->groups.nodes[made->integer] = (uint32_t)builder->operations->mpi.node_count;
}

static void note_reported(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics)
{
    uint32_t member = fth_builder_member(builder, semantics->object, false);
    if (member == FTH_NO_MEMBER)
        return;
    struct fth_member *reported = &builder->operations->mpi.members[member];
    reported->rank = fth_builder_integer(builder, semantics->group.rank, reported->rank);
    reported->size = fth_builder_integer(builder, semantics->group.size, reported->size);
    if (semantics->group.topology.sources < 0 || !reported->topology || !reported->topology->graph)
        return;
    free(reported->topology->graph->asked.all);
    reported->topology->graph->asked = list_in(builder, semantics->group.topology.sources);
}

/* Only those call it who will be in it: the calls that belong together are found by the group and
 * the tag, or by when they were. */
static void note_from_group(struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics, struct fth_event begin)
{
    struct fth_order_operation operation =
        fth_builder_operation(builder, semantics, FTH_SYNC_COLLECTIVE, begin);
    operation.member = fth_builder_member(builder, semantics->object, false);
    operation.tag = FTH_RULE_NONE;
    operation.flags = FTH_SYNC_MAKES;
    uint32_t number = fth_order_operations_add(builder->operations, operation);
    fth_builder_complete(builder, number);
    fth_builder_creation(builder, semantics, number);
}

/* The same communicator each time that it is asked for. */
static void note_parent(struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics)
{
    const struct fth_call *call = builder->call;
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle_use *use = &call->uses[i];
        if (use->parameter != semantics->made || use->handle->number >= FTH_BUILDER_MOST_HANDLES)
            continue;
        builder->groups.members =
            fth_reach(builder->groups.members, &builder->groups.member_room,
                      (uint32_t)use->handle->number, sizeof *builder->groups.members);
        builder->groups.members[use->handle->number] =
            fth_builder_only_member(builder, FTH_MEMBER_PARENT, call->function->name) + 1;
    }
}

void fth_builder_group(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_event begin)
{
    if (semantics->what == FTH_ORDERS_GROUP)
        note_group(builder, semantics);
    else if (semantics->what == FTH_ORDERS_FROM_GROUP)
        note_from_group(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_PARENT)
        note_parent(builder, semantics);
    else
        note_reported(builder, semantics);
}
