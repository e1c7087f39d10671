/* Who is in a communicator that a collective call makes, in which order: as its members asked for.
 * Where only the library knows, the ranks that it reported to the program say so. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

/* `count` of the places become a group, in this order. */
static void make_of_places(struct fth_match_turn *turn, const uint32_t *places, uint32_t count,
                           uint32_t split)
{
    struct fth_group *made = fth_match_add_group(turn->matching, count, split);
    const struct fth_group *from = &turn->matching->groups[turn->group];
    for (uint32_t i = 0; i < count; i++) {
        const struct fth_order_creation *creation = turn->creations[places[i]];
        made->procs[i] = from->procs[places[i]];
        made->members[i] = creation ? creation->made : FTH_NO_MEMBER;
    }
    fth_match_place_members(turn->matching);
}

struct choice {
    int64_t colour, key;
    uint32_t side, place;
};

/* Those of the first side come before those of the second one, where there are two. */
static int by_colour_and_key(const void *one, const void *other)
{
    const struct choice *a = one, *b = other;
    if (a->colour != b->colour)
        return a->colour < b->colour ? -1 : 1;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static uint32_t cells(const struct fth_topology *topology, uint32_t most)
{
    int64_t product = 1;
    for (size_t i = 0; topology && i < topology->dim_count; i++) {
        if (topology->dims[i] < 0 || topology->dims[i] > most)
            return 0;
        product *= topology->dims[i];
        if (product > most)
            return 0;
    }
    return topology ? (uint32_t)product : 0;
}

/* Where a place of a Cartesian communicator is in the dimensions that do not remain; -1: not
 * known. */
static int64_t colour_of_part(const struct fth_match_turn *turn, const struct fth_topology *part,
                              uint32_t place)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    const struct fth_member *member =
        fth_match_member(turn->matching, group->procs[place], group->members[place]);
    const struct fth_topology *whole = member ? member->topology : NULL;
    if (!part || !part->known || !whole || part->remain_count != whole->dim_count ||
        cells(whole, group->size) != group->size)
        return -1;
    int64_t colour = 0, stride = 1, rest = place;
    for (size_t i = whole->dim_count; i-- > 0; rest /= whole->dims[i]) {
        if (part->remains[i])
            continue;
        colour += rest % whole->dims[i] * stride;
        stride *= whole->dims[i];
    }
    return colour;
}

static int64_t colour_of(const struct fth_match_turn *turn, uint32_t place)
{
    const struct fth_order_creation *creation = turn->creations[place];
    uint32_t proc = turn->matching->groups[turn->group].procs[place];
    if (creation->form == FTH_MAKES_SPLIT_TYPE)
        return turn->matching->processes[proc].host;
    if (creation->form != FTH_MAKES_CART_SUB)
        return creation->colour;
    const struct fth_member *made = fth_match_member(turn->matching, proc, creation->made);
    return colour_of_part(turn, made ? made->topology : NULL, place);
}

static void make_split(struct fth_match_turn *turn)
{
    struct fth_matching *matching = turn->matching;
    uint32_t size = matching->groups[turn->group].size, count = 0;
    uint32_t second = matching->groups[turn->group].split;
    bool known = true;
    if (!turn->whole)
        return;
    struct choice *choices = fth_new(size + 1, sizeof *choices);
    uint32_t *places = fth_new(size + 1, sizeof *places);
    for (uint32_t i = 0; i < size; i++) {
        const struct fth_order_creation *creation = turn->creations[i];
        if (!creation || creation->made == FTH_NO_MEMBER)
            continue;
        choices[count++] = (struct choice){colour_of(turn, i), creation->key, i >= second, i};
        known &= creation->form != FTH_MAKES_CART_SUB || choices[count - 1].colour >= 0;
    }
    qsort(choices, count, sizeof *choices, by_colour_and_key);
    for (uint32_t from = 0, to = 0; known && from < count; from = to) {
        uint32_t split = 0;
        for (; to < count && choices[to].colour == choices[from].colour; to++) {
            places[to - from] = choices[to].place;
            split += !choices[to].side;
        }
        if (second == size || (split > 0 && split < to - from)) /* else one side has nobody */
            make_of_places(turn, places, to - from, split);
    }
    free(places);
    free(choices);
}

/* The first `count` places, in the order of ranks that MPI reported if the program allowed others;
 * both sides of an intercommunicator stay what they are. */
static void make_same(struct fth_match_turn *turn, uint32_t count, bool reorders)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    uint32_t split = count < group->split ? count : group->split;
    uint32_t *places = fth_new(count + 1, sizeof *places);
    bool known = true;
    memset(places, 0xff, (count + 1) * sizeof *places);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t made = turn->creations[i] ? turn->creations[i]->made : FTH_NO_MEMBER;
        const struct fth_member *member = fth_match_member(turn->matching, group->procs[i], made);
        int64_t rank = !reorders ? i : member ? member->rank : -1;
        if (rank < 0 || rank >= count || places[rank] != UINT32_MAX) {
            known = false;
            break;
        }
        places[rank] = i;
    }
    if (known)
        make_of_places(turn, places, count, split);
    free(places);
}

/* Who is lower comes first; when both say the same, it is the library that knows. */
static void make_merged(struct fth_match_turn *turn)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    uint32_t size = group->size, split = group->split, count = 0;
    if (!turn->whole || split == 0 || split == size)
        return;
    int64_t high = turn->creations[0]->key, other_high = turn->creations[split]->key;
    if (high == other_high) {
        make_same(turn, size, true);
        return;
    }
    uint32_t *places = fth_new(size, sizeof *places);
    for (uint32_t i = 0; i < size; i++)
        places[count++] = high ? (split + i) % size : i;
    make_of_places(turn, places, count, count);
    free(places);
}

/* The processes of `place`'s side that its group names, appended to those there; false: they are
 * not known. */
static bool add_named(struct fth_match_turn *turn, uint32_t place, uint32_t **list, uint32_t *count)
{
    uint32_t *procs, more;
    if (!fth_match_node(turn->matching, turn->matching->groups[turn->group].procs[place],
                        turn->creations[place]->node, &procs, &more))
        return false;
    *list = fth_resize(*list, *count + more + 1, sizeof **list);
    memcpy(*list + *count, procs, more * sizeof *procs);
    *count += more;
    free(procs);
    return true;
}

/* The processes in a new communicator; of an intercommunicator each side names its own. */
static void make_of_processes(struct fth_match_turn *turn, const uint32_t *procs, uint32_t count,
                              uint32_t split)
{
    uint32_t size = turn->matching->groups[turn->group].size;
    struct fth_group *made = fth_match_add_group(turn->matching, count, split);
    for (uint32_t k = 0; k < count; k++) {
        made->procs[k] = procs[k];
        for (uint32_t p = 0; p < size; p++)
            if (turn->matching->groups[turn->group].procs[p] == procs[k] && turn->creations[p])
                made->members[k] = turn->creations[p]->made;
    }
    fth_match_place_members(turn->matching);
}

static bool waits_for_group(const struct fth_match_turn *turn, uint32_t place)
{
    const struct fth_order_creation *creation = turn->creations[place];
    const struct fth_member *member =
        creation
            ? fth_match_member(turn->matching, turn->matching->groups[turn->group].procs[place],
                               creation->made)
            : NULL;
    return member && member->group == FTH_NO_GROUP;
}

static void make_of_two_groups(struct fth_match_turn *turn)
{
    uint32_t size = turn->matching->groups[turn->group].size,
             split = turn->matching->groups[turn->group].split, count = 0, *procs = NULL;
    uint32_t first = 0, second = split;
    while (first < split && !waits_for_group(turn, first))
        first++;
    while (second < size && !waits_for_group(turn, second))
        second++;
    if (first < split && second < size && add_named(turn, first, &procs, &count)) {
        uint32_t side = count;
        if (add_named(turn, second, &procs, &count))
            make_of_processes(turn, procs, count, side);
    }
    free(procs);
}

static void make_of_group(struct fth_match_turn *turn)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    uint32_t size = group->size;
    if (group->split != size) {
        make_of_two_groups(turn);
        return;
    }
    for (uint32_t i = 0; i < size; i++) {
        uint32_t *procs = NULL, count = 0;
        if (waits_for_group(turn, i) && add_named(turn, i, &procs, &count))
            make_of_processes(turn, procs, count, count);
        free(procs);
    }
}

static void make_cart(struct fth_match_turn *turn, const struct fth_order_creation *creation,
                      uint32_t place)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    const struct fth_member *member =
        fth_match_member(turn->matching, group->procs[place], creation->made);
    uint32_t count = member ? cells(member->topology, group->size) : 0;
    if (count)
        make_same(turn, count, creation->reorders);
}

/* Of more processes than the graph has nodes only the first are in it. */
static void make_graph(struct fth_match_turn *turn, const struct fth_order_creation *creation)
{
    uint32_t size = turn->matching->groups[turn->group].size;
    make_same(turn, creation->key > 0 && creation->key < size ? (uint32_t)creation->key : size,
              creation->reorders);
    fth_match_graph(turn);
}

void fth_match_make(struct fth_match_turn *turn)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    uint32_t place = 0;
    while (place < group->size &&
           !(turn->creations[place] && turn->creations[place]->made != FTH_NO_MEMBER))
        place++;
    if (place == group->size)
        return;
    const struct fth_order_creation *creation = turn->creations[place];
    switch (creation->form) {
    case FTH_MAKES_SAME:
        make_same(turn, group->size, false);
        break;
    case FTH_MAKES_SPLIT:
    case FTH_MAKES_SPLIT_TYPE:
    case FTH_MAKES_CART_SUB:
        make_split(turn);
        break;
    case FTH_MAKES_OF_GROUP:
        make_of_group(turn);
        break;
    case FTH_MAKES_CART:
        make_cart(turn, creation, place);
        break;
    case FTH_MAKES_GRAPH:
        make_graph(turn, creation);
        break;
    case FTH_MAKES_SPAWN:
        fth_match_spawn(turn);
        break;
    case FTH_MAKES_ACCEPTED:
    case FTH_MAKES_CONNECTED:
        fth_match_port(turn);
        break;
    case FTH_MAKES_FROM_GROUP:
    case FTH_MAKES_FROM_GROUPS:
    case FTH_MAKES_JOINED:
        break; /* not by turns: match_from_groups.c, match_ports.c */
    case FTH_MAKES_MERGED:
        make_merged(turn);
        break;
    case FTH_MAKES_INTER:
        fth_match_side(turn->matching, turn->group, turn->creations);
        break;
    case FTH_MAKES_UNKNOWN:
        break;
    }
}
