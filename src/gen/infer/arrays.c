/* Which nests of different processes are parts of one array: those of the same number, and those
 * that lie between one another. */
#include "gen/infer/arrays.h"

#include "base/memory.h"
#include "gen/infer/array_boxes.h"

#include <string.h>

/* The nests of one space. */
struct of_space {
    const struct fth_gen_rank_nests *ranks; /* each with those of this space only */
    size_t count;
    size_t most; /* nests of one process */
    int64_t starts[FTH_GEN_MOST_NESTS], ends[FTH_GEN_MOST_NESTS];
    uint32_t group[FTH_GEN_MOST_NESTS]; /* by number of nest */
    uint32_t groups;
};

/* Nests of the same number begin and end here, as far as processes have all of them. */
static void measure(struct of_space *space)
{
    for (size_t j = 0; j < space->most; j++) {
        space->starts[j] = INT64_MAX;
        space->ends[j] = 0;
    }
    for (size_t i = 0; i < space->count; i++)
        for (size_t j = 0; space->ranks[i].count == space->most && j < space->most; j++) {
            const struct fth_gen_nest *nest = &space->ranks[i].nests[j];
            int64_t end = fth_gen_nest_end(nest);
            if (nest->at < space->starts[j])
                space->starts[j] = nest->at;
            if (end > space->ends[j])
                space->ends[j] = end;
        }
}

static void form_groups(struct of_space *space)
{
    int64_t end = 0;
    space->groups = 0;
    for (size_t j = 0; j < space->most; j++) {
        bool between = j && space->starts[j] < end;
        space->groups += !between;
        space->group[j] = space->groups - 1;
        if (!between || space->ends[j] > end)
            end = space->ends[j];
    }
}

/* The group of a nest of a process that has fewer than others. */
static uint32_t group_at(const struct of_space *space, int64_t at)
{
    size_t j = space->most - 1;
    while (j && space->starts[j] > at)
        j--;
    return space->group[j];
}

static uint32_t group_of(const struct of_space *space, size_t rank, size_t nest)
{
    return space->ranks[rank].count == space->most
               ? space->group[nest]
               : group_at(space, space->ranks[rank].nests[nest].at);
}

static void find_in_space(const struct fth_gen_recorded_file *file, struct of_space *space,
                          struct fth_gen_arrays *arrays)
{
    measure(space);
    form_groups(space);
    int64_t floor = 0;
    for (uint32_t group = 0; group < space->groups && !arrays->why; group++) {
        struct fth_gen_nest_of *members = NULL;
        size_t count = 0;
        for (size_t i = 0; i < space->count; i++) {
            uint32_t piece = 0;
            for (size_t j = 0; j < space->ranks[i].count; j++) {
                if (group_of(space, i, j) != group)
                    continue;
                FTH_GROW(members, count);
                members[count++] = (struct fth_gen_nest_of){space->ranks[i].rank, piece++,
                                                            &space->ranks[i].nests[j]};
            }
        }
        struct fth_gen_array array;
        const char *why = fth_gen_boxes_find(file, members, count, floor, &array);
        free(members);
        if (why) {
            arrays->why = fth_text_copy(why);
            return;
        }
        floor = array.base + array.bytes;
        FTH_GROW(arrays->list, arrays->count);
        arrays->list[arrays->count++] = array;
    }
}

/* Those of `space` from the list of each process. */
static size_t choose(const struct fth_gen_rank_nests *ranks, size_t count, uint32_t space,
                     struct fth_gen_rank_nests *chosen, size_t *most)
{
    size_t kept = 0;
    *most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = 0, behind;
        while (first < ranks[i].count && ranks[i].nests[first].space < space)
            first++;
        for (behind = first; behind < ranks[i].count && ranks[i].nests[behind].space == space;)
            behind++;
        if (behind == first)
            continue;
        chosen[kept++] =
            (struct fth_gen_rank_nests){ranks[i].rank, ranks[i].nests + first, behind - first};
        if (behind - first > *most)
            *most = behind - first;
    }
    return kept;
}

struct fth_gen_arrays fth_gen_arrays_find(const struct fth_gen_recorded_file *file,
                                          const struct fth_gen_rank_nests *ranks, size_t count)
{
    struct fth_gen_arrays arrays = {0};
    struct fth_gen_rank_nests *chosen = fth_new(count + 1, sizeof *chosen);
    for (uint32_t number = 0; number < file->space_count && !arrays.why; number++) {
        struct of_space space = {.ranks = chosen};
        space.count = choose(ranks, count, number, chosen, &space.most);
        if (space.count)
            find_in_space(file, &space, &arrays);
    }
    free(chosen);
    return arrays;
}

void fth_gen_arrays_free(struct fth_gen_arrays *arrays)
{
    for (size_t i = 0; i < arrays->count; i++)
        free(arrays->list[i].owned);
    free(arrays->list);
    free(arrays->why);
    *arrays = (struct fth_gen_arrays){0};
}

bool fth_gen_arrays_alike(const struct fth_gen_array *a, const struct fth_gen_array *b)
{
    size_t lengths = a->dimensions * sizeof *a->length;
    if (a->space != b->space || a->type != b->type || a->dimensions != b->dimensions ||
        a->owned_count != b->owned_count || memcmp(a->length, b->length, lengths) != 0)
        return false;
    for (size_t i = 0; i < a->owned_count; i++) {
        const struct fth_gen_owned *one = &a->owned[i], *other = &b->owned[i];
        if (one->rank != other->rank || one->piece != other->piece ||
            memcmp(one->count, other->count, lengths) != 0 ||
            memcmp(one->start, other->start, lengths) != 0)
            return false;
    }
    return true;
}
