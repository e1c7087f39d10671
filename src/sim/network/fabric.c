/* Fat trees, tori, dragonflies: see the header. */
#include "sim/network/fabric.h"

#include "base/memory.h"
#include "sim/network/graph.h"

struct fth_sim_fabric {
    struct fth_sim_guide guide;
    struct fth_sim_shape shape;
    uint32_t base; /* the first switch */
    /* of a fat tree: the first switch of each level, from there */
    uint32_t begin[FTH_SIM_DIMENSIONS];
};

enum { MOST = 1 << 24, MOST_LINKS = 1 << 25 };

/* ---- fat trees: extended generalised ones (Oehring, Ibel, Das and Kumar 1995) ----
 *
 * A switch of level l is for a part of the nodes, and there are copies of it: as many as the
 * product of the ways up below it. Its parents are copies for the part that has its own in it. */

static uint64_t copies_of(const struct fth_sim_shape *shape, uint32_t level)
{
    uint64_t copies = 1;
    for (uint32_t i = 0; i < level; i++)
        copies *= shape->up[i];
    return copies;
}

static uint64_t parts_of(const struct fth_sim_shape *shape, uint32_t level)
{
    uint64_t parts = 1;
    for (uint32_t i = level + 1; i < shape->levels; i++)
        parts *= shape->down[i];
    return parts;
}

struct place {
    uint32_t level, part, copy;
};

static struct place place_of(const struct fth_sim_fabric *fabric, uint32_t node)
{
    uint32_t number = node - fabric->base, level = fabric->shape.levels - 1;
    while (number < fabric->begin[level])
        level--;
    number -= fabric->begin[level];
    uint32_t copies = (uint32_t)copies_of(&fabric->shape, level);
    return (struct place){level, number / copies, number % copies};
}

static uint32_t switch_at(const struct fth_sim_fabric *fabric, struct place place)
{
    return fabric->base + fabric->begin[place.level] +
           place.part * (uint32_t)copies_of(&fabric->shape, place.level) + place.copy;
}

/* Whether `at` is above `to`; then *below is the switch that leads down to it. */
static bool leads_down(const struct fth_sim_shape *shape, struct place at, struct place to,
                       struct place *below)
{
    struct place place = to;
    for (; place.level < at.level; place.level++) {
        *below = place;
        place.part /= shape->down[place.level + 1];
        place.copy = 0;
    }
    if (to.level >= at.level || place.part != at.part)
        return false;
    below->copy = at.copy / shape->up[below->level];
    return true;
}

static uint32_t next_in_tree(const struct fth_sim_guide *guide, uint32_t at, uint32_t to,
                             uint32_t number)
{
    const struct fth_sim_fabric *fabric = (const struct fth_sim_fabric *)guide;
    const struct fth_sim_shape *shape = &fabric->shape;
    struct place here = place_of(fabric, at), there = place_of(fabric, to), below = {0};
    if (leads_down(shape, here, there, &below))
        return switch_at(fabric, below);
    /* Up: flows to different NICs are spread over the ways, on each level by another digit of the
     * number. */
    uint32_t spread = number / (uint32_t)copies_of(shape, here.level) % shape->up[here.level];
    return switch_at(fabric, (struct place){here.level + 1, here.part / shape->down[here.level + 1],
                                            here.copy * shape->up[here.level] + spread});
}

static void build_tree(struct fth_sim_fabric *fabric, struct fth_sim_network *network,
                       const struct fth_sim_part *hub, const struct fth_sim_part *edge)
{
    const struct fth_sim_shape *shape = &fabric->shape;
    uint32_t count = 0;
    for (uint32_t level = 0; level < shape->levels; level++) {
        fabric->begin[level] = count;
        count += (uint32_t)(copies_of(shape, level) * parts_of(shape, level));
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = fth_sim_network_node(network, hub->name, FTH_SIM_NODE, &hub->speed);
        if (!i)
            fabric->base = node;
    }
    for (uint32_t i = 0; i < fabric->begin[shape->levels - 1]; i++) {
        struct place place = place_of(fabric, fabric->base + i), above = place;
        above.level++;
        above.part /= shape->down[above.level];
        for (uint32_t j = 0; j < shape->up[place.level]; j++) {
            above.copy = place.copy * shape->up[place.level] + j;
            fth_sim_network_link(network, edge->name, fabric->base + i, switch_at(fabric, above),
                                 &edge->speed);
        }
    }
}

/* ---- tori: along one dimension after the other, the shorter way round ---- */

static uint32_t next_in_torus(const struct fth_sim_guide *guide, uint32_t at, uint32_t to,
                              uint32_t number)
{
    const struct fth_sim_fabric *fabric = (const struct fth_sim_fabric *)guide;
    uint32_t here = at - fabric->base, there = to - fabric->base, stride = 1;
    (void)number;
    for (uint32_t i = 0; i < fabric->shape.levels; i++) {
        uint32_t size = fabric->shape.down[i];
        uint32_t from = here / stride % size, target = there / stride % size;
        if (from != target) {
            uint32_t ahead = (target + size - from) % size;
            uint32_t step = ahead <= size / 2 ? (from + 1) % size : (from + size - 1) % size;
            return at - from * stride + step * stride;
        }
        stride *= size;
    }
    return to;
}

static void build_torus(struct fth_sim_fabric *fabric, struct fth_sim_network *network,
                        const struct fth_sim_part *hub, const struct fth_sim_part *edge)
{
    const struct fth_sim_shape *shape = &fabric->shape;
    uint32_t count = 1;
    for (uint32_t i = 0; i < shape->levels; i++)
        count *= shape->down[i];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = fth_sim_network_node(network, hub->name, FTH_SIM_NODE, &hub->speed);
        if (!i)
            fabric->base = node;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0, stride = 1; j < shape->levels; stride *= shape->down[j++]) {
            uint32_t size = shape->down[j], at = i / stride % size;
            /* Two that are next to each other on both sides have one link. */
            if (size == 1 || (size == 2 && at == 1))
                continue;
            fth_sim_network_link(network, edge->name, fabric->base + i,
                                 fabric->base + i - at * stride + (at + 1) % size * stride,
                                 &edge->speed);
        }
}

/* ---- dragonflies: all switches of a group are connected, and all groups by one link (Kim, Dally,
 * Scott and Abts 2008) ---- */

/* The switch of `group` that has the link to `other`. */
static uint32_t gateway(const struct fth_sim_shape *shape, uint32_t group, uint32_t other)
{
    return group * shape->down[1] + (other < group ? other : other - 1) / shape->far;
}

static uint32_t next_in_dragonfly(const struct fth_sim_guide *guide, uint32_t at, uint32_t to,
                                  uint32_t number)
{
    const struct fth_sim_fabric *fabric = (const struct fth_sim_fabric *)guide;
    const struct fth_sim_shape *shape = &fabric->shape;
    uint32_t here = at - fabric->base, there = to - fabric->base;
    uint32_t group = here / shape->down[1], other = there / shape->down[1];
    (void)number;
    if (group == other)
        return to;
    uint32_t leaves = gateway(shape, group, other);
    return fabric->base + (here == leaves ? gateway(shape, other, group) : leaves);
}

static void build_dragonfly(struct fth_sim_fabric *fabric, struct fth_sim_network *network,
                            const struct fth_sim_part *hub, const struct fth_sim_part *edge,
                            const struct fth_sim_part *far)
{
    const struct fth_sim_shape *shape = &fabric->shape;
    uint32_t groups = shape->down[0], switches = shape->down[1];
    for (uint32_t i = 0; i < groups * switches; i++) {
        uint32_t node = fth_sim_network_node(network, hub->name, FTH_SIM_NODE, &hub->speed);
        if (!i)
            fabric->base = node;
    }
    for (uint32_t i = 0; i < groups; i++) {
        uint32_t first = fabric->base + i * switches;
        for (uint32_t j = 0; j < switches; j++)
            for (uint32_t k = 0; k < j; k++)
                fth_sim_network_link(network, edge->name, first + j, first + k, &edge->speed);
        for (uint32_t j = 0; j < i; j++)
            fth_sim_network_link(network, far->name, fabric->base + gateway(shape, i, j),
                                 fabric->base + gateway(shape, j, i), &far->speed);
    }
}

/* ---- all of them ---- */

/* Links between switches; far more than there are switches would never be built. */
static double links_of(const struct fth_sim_shape *shape)
{
    double links = 0, groups = shape->down[0], switches = shape->down[1];
    if (shape->topology == FTH_SIM_FAT_TREE)
        for (uint32_t i = 0; i + 1 < shape->levels; i++)
            links += (double)copies_of(shape, i + 1) * (double)parts_of(shape, i);
    if (shape->topology == FTH_SIM_DRAGONFLY)
        links = groups * switches * (switches - 1) / 2 + groups * (groups - 1) / 2;
    return links;
}

uint64_t fth_sim_shape_room(const struct fth_sim_shape *shape, struct fth_error **error)
{
    uint64_t switches = 1, most = 0;
    if (shape->topology == FTH_SIM_STAR)
        return MOST;
    if (shape->topology == FTH_SIM_GRAPH) {
        if (!fth_sim_graph_room(shape->graph))
            fth_fail(error, "no switch has nodes");
        return fth_sim_graph_room(shape->graph);
    }
    for (uint32_t i = 0; i < shape->levels; i++)
        if (shape->down[i] > MOST || (switches *= shape->down[i]) > MOST) {
            fth_fail(error, "more than %d nodes or switches", MOST);
            return 0;
        }
    if (shape->topology == FTH_SIM_FAT_TREE) {
        for (uint32_t i = 0; i + 1 < shape->levels; i++)
            if ((most = copies_of(shape, i + 1) * parts_of(shape, i + 1)) > MOST) {
                fth_fail(error, "more than %d switches on level %u", MOST, i + 2);
                return 0;
            }
    }
    if (shape->topology == FTH_SIM_DRAGONFLY &&
        (uint64_t)shape->down[1] * shape->far + 1 < shape->down[0]) {
        fth_fail(error, "a group has %u links to others, and there are %u other groups",
                 shape->down[1] * shape->far, shape->down[0] - 1);
        return 0;
    }
    if (links_of(shape) > MOST_LINKS) {
        fth_fail(error, "%.3g links between switches, more than %d", links_of(shape), MOST_LINKS);
        return 0;
    }
    return shape->topology == FTH_SIM_FAT_TREE ? switches : switches * shape->hosts;
}

struct fth_sim_fabric *fth_sim_fabric_new(struct fth_sim_network *network,
                                          const struct fth_sim_shape *shape,
                                          const struct fth_sim_part *hub,
                                          const struct fth_sim_part *edge,
                                          const struct fth_sim_part *far)
{
    struct fth_sim_fabric *fabric = fth_new(1, sizeof *fabric);
    fabric->shape = *shape;
    switch (shape->topology) {
    case FTH_SIM_FAT_TREE:
        fabric->guide.next = next_in_tree;
        build_tree(fabric, network, hub, edge);
        break;
    case FTH_SIM_TORUS:
        fabric->guide.next = next_in_torus;
        build_torus(fabric, network, hub, edge);
        break;
    case FTH_SIM_DRAGONFLY:
        fabric->guide.next = next_in_dragonfly;
        build_dragonfly(fabric, network, hub, edge, far);
        break;
    case FTH_SIM_STAR:
        fabric->base = fth_sim_network_node(network, hub->name, FTH_SIM_NODE, &hub->speed);
        return fabric;
    case FTH_SIM_GRAPH:
        fabric->base = fth_sim_graph_build(shape->graph, network);
        return fabric;
    }
    fth_sim_network_guide(network, &fabric->guide);
    return fabric;
}

void fth_sim_fabric_free(struct fth_sim_fabric *fabric)
{
    free(fabric);
}

uint32_t fth_sim_fabric_switch(const struct fth_sim_fabric *fabric, uint32_t node)
{
    const struct fth_sim_shape *shape = &fabric->shape;
    if (shape->topology == FTH_SIM_STAR)
        return fabric->base;
    if (shape->topology == FTH_SIM_GRAPH)
        return fabric->base + fth_sim_graph_switch_of(shape->graph, node);
    return fabric->base +
           node / (shape->topology == FTH_SIM_FAT_TREE ? shape->down[0] : shape->hosts);
}
