/* Which elements a data call of HDF5, NetCDF or PnetCDF selects, in the file and in memory: from
 * the dataspaces that it is given, or from its lists of starts, counts and strides. */
#include "model/ranges/selecting.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "model/ranges/spaces.h"

#include <string.h>

static const char left_out[] = "calls were left out of the recording";
static const char no_numbers[] = "its parameters are not in the trace";
static const char no_space[] = "its dataspace is not in the trace";

/* ---- what is given ---- */

static struct fth_selected *add(struct fth_accesses *accesses, const char *object, int64_t variable)
{
    FTH_GROW(accesses->selection.selected, accesses->selection.selected_count);
    struct fth_selected *selected =
        &accesses->selection.selected[accesses->selection.selected_count++];
    *selected = (struct fth_selected){.object = object, .variable = variable};
    return selected;
}

/* Kept for as long as the access is. */
static const struct fth_made_selection *keep(struct fth_accesses *accesses,
                                             struct fth_made_selection *selection)
{
    FTH_GROW(accesses->selection.shown, accesses->selection.shown_count);
    accesses->selection.shown[accesses->selection.shown_count++] = selection;
    return selection;
}

static struct fth_elements shown(const struct fth_made_selection *made, const int64_t *extent)
{
    return (struct fth_elements){.form = made->form,
                                 .why = made->why,
                                 .rank = made->rank,
                                 .extent = extent,
                                 .count = made->count,
                                 .numbers = made->numbers,
                                 .total = fth_selection_elements(made, extent)};
}

static struct fth_elements unknown(const char *why)
{
    return (struct fth_elements){.form = FTH_SELECTION_UNKNOWN, .why = why, .total = -1};
}

void fth_selecting_forget(struct fth_accesses *accesses)
{
    for (size_t i = 0; i < accesses->selection.shown_count; i++)
        fth_selection_drop(accesses->selection.shown[i]);
    free(accesses->selection.shown);
    accesses->selection.shown = NULL;
    accesses->selection.shown_count = 0;
    accesses->selection.selected_count = 0;
}

/* ---- HDF5 ---- */

/* One or several handles, as the call has one dataset or several. */
static int64_t slot_at(const struct fth_call *call, int field, size_t i)
{
    const struct fth_value *value = fth_value_of(call, field);
    if (value && value->type == FTH_VALUE_HANDLES)
        return i < value->count ? value->integers[i] : FTH_HANDLE_UNKNOWN;
    return value && value->type == FTH_VALUE_HANDLE ? value->integer : FTH_HANDLE_NULL;
}

static struct fth_space *space_at(const struct fth_accesses *accesses, int64_t slot)
{
    return fth_followed_at(accesses, accesses->classes.space, slot);
}

static struct fth_elements of_space(struct fth_accesses *accesses, const struct fth_space *space)
{
    if (!space || !fth_space_selection(space))
        return unknown(no_space);
    struct fth_made_selection *made = fth_space_placed(accesses, space);
    return shown(keep(accesses, made), fth_space_extent(space));
}

static struct fth_elements all_of(struct fth_accesses *accesses, const struct fth_space *dataset)
{
    const int64_t *extent = dataset ? fth_space_extent(dataset) : NULL;
    struct fth_made_selection *all = fth_selection_all(dataset ? fth_space_rank(dataset) : 0);
    return shown(keep(accesses, all), extent);
}

/* Without a dataspace in the file it is the whole dataset; without one in memory it is the one in
 * the file. */
static void select_by_spaces(struct fth_accesses *accesses,
                             const struct fth_range_semantics *semantics, size_t i,
                             const char *object)
{
    const struct fth_call *call = &accesses->access->call;
    struct fth_selected *to = add(accesses, object, -1);
    int64_t memory = slot_at(call, semantics->array.memory_space, i),
            file = slot_at(call, semantics->array.file_space, i);
    if (accesses->leaves_out) {
        to->file = to->memory = unknown(left_out);
        return;
    }
    to->file =
        file == FTH_HANDLE_NULL
            ? all_of(accesses, space_at(accesses, slot_at(call, semantics->array.dataset, i)))
            : of_space(accesses, space_at(accesses, file));
    to->memory =
        memory == FTH_HANDLE_NULL ? to->file : of_space(accesses, space_at(accesses, memory));
    /* The library has compared them: then it did not select what it was asked to (1.10 has such a
     * mistake in H5S_SELECT_AND). */
    if (to->file.total >= 0 && to->memory.total >= 0 && to->file.total != to->memory.total)
        to->file = to->memory = unknown("the library selects something else");
}

/* What is behind the path in the name of a handle. */
static const char *object_of(const struct fth_call *call, const char *name)
{
    size_t length = call->file ? strlen(call->file) : 0;
    bool has = name && length && strncmp(name, call->file, length) == 0 && name[length] == ':';
    return has ? name + length + 1 : name;
}

static void select_in_datasets(struct fth_accesses *accesses,
                               const struct fth_range_semantics *semantics)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_value *datasets = fth_value_of(call, semantics->array.dataset);
    if (datasets && datasets->type == FTH_VALUE_HANDLES)
        for (size_t i = 0; i < datasets->count; i++)
            select_by_spaces(accesses, semantics, i, object_of(call, datasets->texts[i]));
    else
        select_by_spaces(accesses, semantics, 0, call->object);
}

/* ---- NetCDF and PnetCDF ---- */

static const int64_t *list_at(const struct fth_value *value, size_t rank, size_t i)
{
    return value && value->type == FTH_VALUE_INTEGERS && (i + 1) * rank <= value->count
               ? value->integers + i * rank
               : NULL;
}

/* Block i of those that are given. Where a call takes no counts, or none are given to a list of
 * blocks, each is one element. */
static struct fth_made_selection *block_of(struct fth_accesses *accesses,
                                           const struct fth_range_semantics *semantics, size_t rank,
                                           size_t i)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_value *counts = fth_value_of(call, semantics->array.counts);
    bool single = !counts || (counts->type == FTH_VALUE_NONE && semantics->array.block_count >= 0);
    const int64_t *start = list_at(fth_value_of(call, semantics->array.starts), rank, i),
                  *count = list_at(counts, rank, i),
                  *stride = list_at(fth_value_of(call, semantics->array.strides), rank, i);
    if (!rank)
        return fth_selection_all(0);
    if (!start || (!count && !single))
        return fth_selection_unknown(no_numbers);
    int64_t *ones = fth_new(rank, sizeof *ones);
    for (size_t d = 0; d < rank; d++)
        ones[d] = 1;
    struct fth_made_selection *made = fth_selection_slab(
        (unsigned)rank, start, stride, count ? count : ones, NULL, &accesses->selection.means);
    free(ones);
    return made;
}

/* A variable without dimensions has one element. */
static const int64_t no_extent[1];

static void select_block(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                         int64_t variable, size_t rank, size_t i)
{
    struct fth_selected *to = add(accesses, NULL, variable);
    to->file =
        shown(keep(accesses, block_of(accesses, semantics, rank, i)), rank ? NULL : no_extent);
    to->memory = unknown(NULL);
}

static void select_all(struct fth_accesses *accesses, int64_t variable)
{
    struct fth_selected *to = add(accesses, NULL, variable);
    to->file = shown(keep(accesses, fth_selection_all(0)), NULL);
    to->memory = unknown(NULL);
}

/* Several blocks of a variable, which may overlap: then it is not known which elements come
 * twice. */
static void select_blocks(struct fth_accesses *accesses,
                          const struct fth_range_semantics *semantics, int64_t variable,
                          size_t rank, size_t blocks)
{
    struct fth_selected *to = add(accesses, NULL, variable);
    struct fth_made_selection *all = fth_selection_nothing((unsigned)rank);
    for (size_t i = 0; i < blocks && all->form != FTH_SELECTION_UNKNOWN; i++) {
        struct fth_made_selection *block = block_of(accesses, semantics, rank, i);
        all = fth_selection_combine(FTH_SELECT_OR, all, block, NULL, &accesses->selection.means);
        fth_selection_drop(block);
    }
    to->file = shown(keep(accesses, all), rank ? NULL : no_extent);
    to->memory = unknown(NULL);
}

/* How many numbers each list of starts has; -1: the trace does not have them. */
static int64_t rank_of(const struct fth_value *starts, size_t lists)
{
    if (!starts)
        return 0;
    if (starts->type != FTH_VALUE_INTEGERS || starts->count % lists ||
        starts->count / lists > FTH_SELECTION_RANK)
        return -1;
    return (int64_t)(starts->count / lists);
}

static void select_in_variable(struct fth_accesses *accesses,
                               const struct fth_range_semantics *semantics, int64_t variable)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_value *starts = fth_value_of(call, semantics->array.starts);
    int64_t blocks =
        semantics->array.block_count >= 0 ? fth_number_of(call, semantics->array.block_count) : 1;
    int64_t rank = blocks > 0 ? rank_of(starts, (size_t)blocks) : 0;
    if (rank < 0)
        add(accesses, NULL, variable)->file = unknown(no_numbers);
    else if (!starts)
        select_all(accesses, variable);
    else if (semantics->array.block_count >= 0)
        select_blocks(accesses, semantics, variable, (size_t)rank, blocks > 0 ? (size_t)blocks : 0);
    else
        select_block(accesses, semantics, variable, (size_t)rank, 0);
}

/* Several variables, and for each of them one block. */
static void select_in_variables(struct fth_accesses *accesses,
                                const struct fth_range_semantics *semantics,
                                const struct fth_value *variables)
{
    const struct fth_value *starts = fth_value_of(&accesses->access->call, semantics->array.starts);
    int64_t rank = variables->count ? rank_of(starts, variables->count) : 0;
    for (size_t i = 0; i < variables->count; i++)
        if (rank < 0)
            add(accesses, NULL, variables->integers[i])->file = unknown(no_numbers);
        else if (starts)
            select_block(accesses, semantics, variables->integers[i], (size_t)rank, i);
        else
            select_all(accesses, variables->integers[i]);
}

/* ---- doors ---- */

void fth_accesses_without_selections(struct fth_accesses *accesses)
{
    accesses->selection.left_out = true;
    accesses->classes.space = -1;
}

void fth_following_selection(struct fth_accesses *accesses,
                             const struct fth_range_semantics *semantics)
{
    struct fth_access *access = accesses->access;
    if (accesses->selection.left_out)
        return;
    const struct fth_value *variable = fth_value_of(&access->call, semantics->array.variable);
    if (semantics->array.file_space >= 0)
        select_in_datasets(accesses, semantics);
    else if (variable && variable->type == FTH_VALUE_INTEGERS)
        select_in_variables(accesses, semantics, variable);
    else if (variable && variable->type == FTH_VALUE_INTEGER)
        select_in_variable(accesses, semantics, variable->integer);
    access->selected = accesses->selection.selected;
    access->selected_count = accesses->selection.selected_count;
}
