/* What calls say of communicators and groups of MPI: who is to be in those that they make. */
#include "base/memory.h"
#include "order/build/feeder.h"

#include <string.h>
#include <strings.h>

enum { MOST_HANDLES = 1 << 24 };

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
static struct fth_order_list list_in(const struct fth_order_feeder *feeder, int parameter)
{
    const struct fth_value *value = fth_feeder_value(feeder, parameter);
    struct fth_order_list list = {.whole = value && value->type == FTH_VALUE_INTEGERS &&
                                           value->count < FTH_MOST_INTEGERS};
    list.all = copy_of(value, &list.count);
    return list;
}

static void note_graph(const struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       struct fth_topology *topology)
{
    topology->graph = fth_new(1, sizeof *topology->graph);
    struct fth_told_graph *graph = topology->graph;
    graph->form = sense->edges >= 0     ? FTH_GRAPH_OF_NODES
                  : sense->degrees >= 0 ? FTH_GRAPH_OF_EDGES
                                        : FTH_GRAPH_OF_SOURCES;
    graph->from = list_in(feeder, sense->sources);
    graph->degrees = list_in(feeder, sense->degrees);
    graph->to = list_in(feeder, sense->edges >= 0 ? sense->edges : sense->destinations);
}

static void note_topology(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                          uint32_t made)
{
    uint32_t from = fth_feeder_member(feeder, sense->object, false);
    struct fth_topology *whole =
        from != FTH_NO_MEMBER ? feeder->deeds->members[from].topology : NULL;
    if (sense->form == FTH_MAKES_SAME) {
        feeder->deeds->members[made].topology = whole;
        return;
    }
    struct fth_topology *topology = fth_order_deeds_add_topology(feeder->deeds);
    if (sense->form == FTH_MAKES_CART) {
        size_t periods;
        topology->dims = copy_of(fth_feeder_value(feeder, sense->dims), &topology->dim_count);
        topology->periods = copy_of(fth_feeder_value(feeder, sense->periods), &periods);
        if (periods != topology->dim_count)
            topology->dim_count = 0;
        topology->known = topology->dim_count > 0;
    } else if (sense->form == FTH_MAKES_CART_SUB) {
        make_part(topology, whole, fth_feeder_value(feeder, sense->remains));
    } else {
        note_graph(feeder, sense, topology);
    }
    feeder->deeds->members[made].topology = topology;
}

static void note_tag(const struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     struct fth_order_making *making)
{
    const struct fth_value *text = fth_feeder_value(feeder, sense->text_tag);
    making->tag = fth_feeder_tag_in(feeder, sense->tags[0]);
    making->text = text && text->type == FTH_VALUE_TEXT ? strdup(text->text) : NULL;
}

static void note_meeting(const struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                         struct fth_order_making *making)
{
    const struct fth_value *port = fth_feeder_value(feeder, sense->port);
    making->text = port && port->type == FTH_VALUE_TEXT ? strdup(port->text) : NULL;
    making->colour = feeder->call->start;
    making->key = feeder->call->end;
}

void fth_feeder_making(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       uint32_t deed)
{
    struct fth_order_making making = {
        .deed = deed, .form = sense->form, .node = UINT32_MAX, .other_node = UINT32_MAX};
    making.made = fth_feeder_member(feeder, sense->made, true);
    making.colour = fth_feeder_integer(feeder, sense->colour, 0);
    making.key = fth_feeder_integer(feeder, sense->high >= 0 ? sense->high : sense->key, 0);
    making.reorders = fth_feeder_integer(feeder, sense->reorder, 0) != 0;
    if (sense->form == FTH_MAKES_INTER) {
        making.colour = fth_feeder_integer(feeder, sense->local_leader, -1);
        making.key = fth_feeder_integer(feeder, sense->remote_leader, -1);
        making.tag = fth_feeder_tag_in(feeder, sense->tags[0]);
        making.node = fth_feeder_member(feeder, sense->peers_in, false);
    }
    if (sense->form == FTH_MAKES_FROM_GROUP || sense->form == FTH_MAKES_FROM_GROUPS)
        note_tag(feeder, sense, &making);
    if (sense->form == FTH_MAKES_GRAPH)
        making.key = fth_feeder_integer(feeder, sense->node_count, 0);
    if (sense->form == FTH_MAKES_SPAWN) {
        making.colour = feeder->call->start;
        making.key = fth_feeder_integer(feeder, sense->process_count, INT64_MAX);
    }
    if (sense->form == FTH_MAKES_ACCEPTED || sense->form == FTH_MAKES_CONNECTED ||
        sense->form == FTH_MAKES_JOINED)
        note_meeting(feeder, sense, &making);
    const struct fth_value *type = fth_feeder_value(feeder, sense->type);
    if (sense->form == FTH_MAKES_SPLIT_TYPE &&
        !(type && type->text && strcmp(type->text, "MPI_COMM_TYPE_SHARED") == 0))
        making.form = FTH_MAKES_UNKNOWN;
    const struct fth_value *group = fth_feeder_value(feeder, sense->groups[0]);
    if (group)
        making.node = fth_feeder_node(feeder, sense->groups[0]);
    making.other_node = fth_feeder_node(feeder, sense->groups[1]);
    if (making.made != FTH_NO_MEMBER && !feeder->deeds->members[making.made].topology &&
        (sense->form == FTH_MAKES_CART || sense->form == FTH_MAKES_CART_SUB ||
         sense->form == FTH_MAKES_GRAPH || sense->form == FTH_MAKES_SAME))
        note_topology(feeder, sense, making.made);
    FTH_GROW(feeder->deeds->makings, feeder->deeds->making_count);
    feeder->deeds->makings[feeder->deeds->making_count++] = making;
}

/* A set of processes by name: those of the world, or we alone; others are the library's. */
static void choose_set(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       struct fth_group_node *node)
{
    const struct fth_value *value = fth_feeder_value(feeder, sense->pset);
    const char *name = value && value->type == FTH_VALUE_TEXT ? value->text : "";
    node->form = FTH_NODE_UNKNOWN;
    if (strcasecmp(name, "mpi://WORLD") != 0 && strcasecmp(name, "mpi://SELF") != 0)
        return;
    node->form = FTH_NODE_MEMBERS;
    node->one = strcasecmp(name, "mpi://WORLD") == 0
                    ? feeder->world
                    : fth_feeder_only_member(feeder, FTH_MEMBER_SELF, "MPI_COMM_SELF");
}

static void note_group(struct fth_order_feeder *feeder, const struct fth_order_sense *sense)
{
    const struct fth_value *made = fth_feeder_value(feeder, sense->group_made);
    if (!made || made->type != FTH_VALUE_HANDLE || made->integer < 0 ||
        made->integer >= MOST_HANDLES)
        return;
    struct fth_group_node node = {.form = sense->node};
    if (node.form == FTH_NODE_PSET)
        choose_set(feeder, sense, &node);
    else if (node.form == FTH_NODE_MEMBERS || node.form == FTH_NODE_REMOTE)
        node.one = fth_feeder_member(feeder, sense->object, false);
    else
        node.one = fth_feeder_node(feeder, sense->groups[0]);
    node.other = fth_feeder_node(feeder, sense->groups[1]);
    const struct fth_value *ranks = fth_feeder_value(feeder, sense->ranks);
    if (ranks) {
        node.ranks = copy_of(ranks, &node.rank_count);
        /* they are not kept, or there may be more */
        if (ranks->type != FTH_VALUE_INTEGERS || ranks->count == FTH_MOST_INTEGERS)
            node.form = FTH_NODE_UNKNOWN;
    }
    FTH_GROW(feeder->deeds->nodes, feeder->deeds->node_count);
    feeder->deeds->nodes[feeder->deeds->node_count++] = node;
    feeder->nodes = fth_reach(feeder->nodes, &feeder->node_room, (uint32_t)made->integer,
                              sizeof *feeder->nodes);
    feeder->nodes[made->integer] = (uint32_t)feeder->deeds->node_count;
}

static void note_told(struct fth_order_feeder *feeder, const struct fth_order_sense *sense)
{
    uint32_t member = fth_feeder_member(feeder, sense->object, false);
    if (member == FTH_NO_MEMBER)
        return;
    struct fth_member *told = &feeder->deeds->members[member];
    told->rank = fth_feeder_integer(feeder, sense->rank, told->rank);
    told->size = fth_feeder_integer(feeder, sense->size, told->size);
    if (sense->sources < 0 || !told->topology || !told->topology->graph)
        return;
    free(told->topology->graph->asked.all);
    told->topology->graph->asked = list_in(feeder, sense->sources);
}

/* Only those call it who will be in it: the calls that belong together are found by the group and
 * the tag, or by when they were. */
static void note_from_group(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                            struct fth_event begin)
{
    struct fth_order_deed deed = fth_feeder_deed(feeder, sense, FTH_DEED_COLLECTIVE, begin);
    deed.member = fth_feeder_member(feeder, sense->object, false);
    deed.tag = FTH_RULE_NONE;
    deed.flags = FTH_DEED_MAKES;
    uint32_t number = fth_order_deeds_add(feeder->deeds, deed);
    fth_feeder_complete(feeder, number);
    fth_feeder_making(feeder, sense, number);
}

/* The same communicator each time that it is asked for. */
static void note_parent(struct fth_order_feeder *feeder, const struct fth_order_sense *sense)
{
    const struct fth_call *call = feeder->call;
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle_use *use = &call->uses[i];
        if (use->parameter != sense->made || use->handle->number >= MOST_HANDLES)
            continue;
        feeder->members = fth_reach(feeder->members, &feeder->member_room,
                                    (uint32_t)use->handle->number, sizeof *feeder->members);
        feeder->members[use->handle->number] =
            fth_feeder_only_member(feeder, FTH_MEMBER_PARENT, "MPI_Comm_get_parent") + 1;
    }
}

void fth_feeder_group(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      struct fth_event begin)
{
    if (sense->what == FTH_ORDERS_GROUP)
        note_group(feeder, sense);
    else if (sense->what == FTH_ORDERS_FROM_GROUP)
        note_from_group(feeder, sense, begin);
    else if (sense->what == FTH_ORDERS_PARENT)
        note_parent(feeder, sense);
    else
        note_told(feeder, sense);
}
