/* Dataspaces of HDF5: each handle has its extent and its selection, which calls change one after
 * the other, as the library does it. A dataset has the extent that it was created with, or that was
 * set or shown since; one that was opened has none before. */
#include "model/ranges/spaces.h"

#include "base/memory.h"
#include "catalog/values.h"

#include <string.h>

enum {
    MOST_NAMED = 4096, /* slots of datasets whose extents are kept together */
    SCALAR = 0,
    SIMPLE = 1, /* H5S_class_t */
};

static const char *const operations[] = {
    [FTH_SPACE_SPACE] = "space",
    [FTH_SPACE_SIMPLE] = "simple_space",
    [FTH_SPACE_DATASET] = "dataset",
    [FTH_SPACE_OF_DATASET] = "space_of_dataset",
    [FTH_SPACE_EXTENT] = "extent",
    [FTH_SPACE_EXTENT_COPY] = "extent_copy",
    [FTH_SPACE_SHOWN_EXTENT] = "shown_extent",
    [FTH_SPACE_ALL] = "selection_of_all",
    [FTH_SPACE_NOTHING] = "selection_of_nothing",
    [FTH_SPACE_HYPERSLAB] = "hyperslab",
    [FTH_SPACE_POINTS] = "points",
    [FTH_SPACE_COMBINATION] = "combination",
    [FTH_SPACE_SELECTION_COPY] = "selection_copy",
    [FTH_SPACE_OFFSET] = "offset",
    [FTH_SPACE_ADJUSTED] = "adjusted_selection",
};

enum fth_space_operation fth_space_operation_of(const char *builds)
{
    for (size_t i = 1; builds && i < sizeof operations / sizeof *operations; i++)
        if (strcmp(builds, operations[i]) == 0)
            return (enum fth_space_operation)i;
    return FTH_SPACE_NO_OPERATION;
}

/* ---- dataspaces ---- */

static void select_this(struct fth_space *space, struct fth_made_selection *selection)
{
    fth_selection_drop(space->selection);
    space->selection = selection;
}

static struct fth_space *copy_of(const struct fth_space *space)
{
    struct fth_space *copy = fth_new(1, sizeof *copy);
    *copy = *space;
    copy->name = NULL;
    copy->is_dataset = false;
    copy->selection =
        space->selection ? fth_selection_share(space->selection) : fth_selection_all(space->rank);
    return copy;
}

static void set_extent(struct fth_space *space, const struct fth_value *extent)
{
    space->is_known =
        extent && extent->type == FTH_VALUE_INTEGERS && extent->count <= FTH_SPACE_RANK;
    if (!space->is_known)
        return;
    space->rank = (unsigned)extent->count;
    memcpy(space->extent, extent->integers, extent->count * sizeof *extent->integers);
}

/* ---- the arguments of a call ---- */

struct arguments {
    const struct fth_call *call;
    const struct fth_value *lists[4];
    size_t list_count;
    struct fth_space *spaces[3]; /* the handles that it uses, in order */
    int64_t slots[3];
    const char *names[3];
    size_t handle_count;
    int64_t choice,
        number; /* the first flags; the first plain integer, or list, whichever is needed */
};

static void sort_arguments(const struct fth_accesses *accesses,
                           const struct fth_range_semantics *semantics, struct arguments *to)
{
    *to = (struct arguments){.call = &accesses->access->call};
    for (size_t i = semantics->row->field_count; i-- > 0;) {
        const struct fth_field *field = &semantics->row->fields[i];
        const struct fth_value *value = &to->call->arguments[i];
        if (field->role == FTH_ROLE_FLAGS && value->type == FTH_VALUE_INTEGER)
            to->choice = value->integer;
        else if (value->type == FTH_VALUE_INTEGER)
            to->number = value->integer;
    }
    for (size_t i = 0; i < semantics->row->field_count; i++) {
        const struct fth_field *field = &semantics->row->fields[i];
        const struct fth_value *value = &to->call->arguments[i];
        bool is_list = field->role == FTH_ROLE_IN ||
                       (field->role == FTH_ROLE_OUT && fth_field_has_length(field));
        if (is_list && to->list_count < 4)
            to->lists[to->list_count++] = value;
        if (field->role != FTH_ROLE_USE || field->class_index != accesses->classes.space ||
            to->handle_count == 3)
            continue;
        int64_t slot = value->type == FTH_VALUE_HANDLE ? value->integer : FTH_NOWHERE;
        to->slots[to->handle_count] = slot;
        to->names[to->handle_count] = value->text;
        to->spaces[to->handle_count++] = fth_followed_at(accesses, accesses->classes.space, slot);
    }
}

/* So many numbers, or NULL. */
static const int64_t *numbers_of(const struct fth_value *list, size_t count)
{
    return list && list->type == FTH_VALUE_INTEGERS && list->count == count ? list->integers : NULL;
}

/* ---- datasets ---- */

/* Another handle of the same dataset that knows its extent. */
static const struct fth_space *twin_of(const struct fth_accesses *accesses, const char *name)
{
    for (int64_t slot = 0; name && slot < MOST_NAMED; slot++) {
        const struct fth_space *space = fth_followed_at(accesses, accesses->classes.space, slot);
        if (space && space->name && space->is_known && strcmp(space->name, name) == 0)
            return space;
    }
    return NULL;
}

static void set_extents(struct fth_accesses *accesses, const struct arguments *given)
{
    struct fth_space *dataset = given->spaces[0];
    if (!dataset || !dataset->is_dataset)
        return;
    set_extent(dataset, given->lists[0]);
    for (int64_t slot = 0; dataset->name && slot < MOST_NAMED; slot++) {
        struct fth_space *space = fth_followed_at(accesses, accesses->classes.space, slot);
        if (space && space->name && strcmp(space->name, dataset->name) == 0)
            set_extent(space, given->lists[0]);
    }
}

/* "file:object", as handles are named; the call has both apart. */
static char *name_of_dataset(const struct fth_call *call,
                             const struct fth_range_semantics *semantics)
{
    char *name = NULL;
    for (size_t i = 0; i < semantics->row->field_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        if (semantics->row->fields[i].role != FTH_ROLE_STRING || value->type != FTH_VALUE_TEXT ||
            !call->file)
            continue;
        const char *in = call->object ? call->object : "";
        bool absolute = *value->text == '/';
        size_t size = strlen(call->file) + strlen(in) + strlen(value->text) + 3;
        name = fth_new(size, 1);
        strcpy(name, call->file);
        strcat(name, ":");
        if (!absolute) {
            strcat(name, in);
            if (!*in || in[strlen(in) - 1] != '/')
                strcat(name, "/");
        }
        strcat(name, value->text);
        return name;
    }
    return NULL;
}

static struct fth_space *new_dataset(const struct fth_accesses *accesses,
                                     const struct fth_range_semantics *semantics,
                                     const struct arguments *given, int64_t slot)
{
    struct fth_space *made = fth_new(1, sizeof *made);
    const struct fth_space *from = NULL;
    for (size_t i = 0; i < given->handle_count; i++)
        if (given->spaces[i] && !given->spaces[i]->is_dataset)
            from = given->spaces[i];
    made->is_dataset = true;
    made->name = slot < MOST_NAMED ? name_of_dataset(given->call, semantics) : NULL;
    if (!from)
        from = twin_of(accesses, made->name);
    if (from && from->is_known) {
        made->is_known = true;
        made->rank = from->rank;
        memcpy(made->extent, from->extent, sizeof made->extent);
    }
    return made;
}

/* ---- selecting ---- */

static struct fth_made_selection *new_selection(struct fth_accesses *accesses,
                                                enum fth_space_operation operation,
                                                const struct arguments *given, unsigned *rank)
{
    static const char lost[] = "its parameters are not in the trace";
    const struct fth_value *first = given->lists[0];
    *rank = given->spaces[0] ? given->spaces[0]->rank : 0;
    if (!first || first->type != FTH_VALUE_INTEGERS)
        return fth_selection_unknown(lost);
    if (operation == FTH_SPACE_POINTS) {
        size_t points = given->number > 0 ? (size_t)given->number : 0;
        *rank = points ? (unsigned)(first->count / points) : *rank;
        bool whole = *rank <= FTH_SPACE_RANK && points <= FTH_SELECTION_MOST_PIECES &&
                     *rank * points == first->count;
        return whole ? fth_selection_points(*rank, first->integers, points,
                                            &accesses->selection.means)
                     : fth_selection_unknown(lost);
    }
    *rank = first->count <= FTH_SPACE_RANK ? (unsigned)first->count : 0;
    const int64_t *start = numbers_of(first, *rank), *count = numbers_of(given->lists[2], *rank);
    return start && count
               ? fth_selection_slab(*rank, start, numbers_of(given->lists[1], *rank), count,
                                    numbers_of(given->lists[3], *rank), &accesses->selection.means)
               : fth_selection_unknown(lost);
}

/* The selection of a dataspace and another one become one. */
static void combine(struct fth_accesses *accesses, struct fth_space *space, int64_t choice,
                    const struct fth_made_selection *other)
{
    bool is_one = choice >= 0 && choice <= FTH_SELECT_PREPEND;
    enum fth_selection_operator how =
        is_one ? (enum fth_selection_operator)choice : FTH_SELECT_UNKNOWN;
    space->selection = fth_selection_combine(how, space->selection, other, fth_space_extent(space),
                                             &accesses->selection.means);
}

static void select_new(struct fth_accesses *accesses, enum fth_space_operation operation,
                       struct fth_space *space, const struct arguments *given)
{
    unsigned rank;
    struct fth_made_selection *other = new_selection(accesses, operation, given, &rank);
    if (!space->is_known &&
        space->rank != rank) { /* now it is known how many dimensions there are */
        bool nothing = space->selection->form == FTH_SELECTION_NOTHING;
        space->rank = rank;
        if (nothing || space->selection->form == FTH_SELECTION_ALL)
            select_this(space, nothing ? fth_selection_nothing(rank) : fth_selection_all(rank));
    }
    combine(accesses, space, given->choice, other);
    fth_selection_drop(other);
}

static void select_of(struct fth_accesses *accesses, enum fth_space_operation operation,
                      struct fth_space *space, const struct arguments *given)
{
    const struct fth_space *other = given->handle_count > 1 ? given->spaces[1] : NULL;
    struct fth_made_selection *selection =
        other && other->selection
            ? fth_selection_share(other->selection)
            : fth_selection_unknown("the dataspace that it is made of is not in the trace");
    if (operation == FTH_SPACE_SELECTION_COPY)
        select_this(space, fth_selection_share(selection));
    else
        combine(accesses, space, given->choice, selection);
    fth_selection_drop(selection);
}

static void move_selection(struct fth_accesses *accesses, enum fth_space_operation operation,
                           struct fth_space *space, const struct arguments *given)
{
    const int64_t *offset = numbers_of(given->lists[0], space->rank);
    if (!offset || space->rank > FTH_SPACE_RANK) {
        select_this(space, fth_selection_unknown("its offset is not in the trace"));
        return;
    }
    if (operation == FTH_SPACE_OFFSET) {
        memcpy(space->offset, offset, space->rank * sizeof *offset);
        space->is_moved = true;
        return;
    }
    int64_t back[FTH_SPACE_RANK];
    for (unsigned i = 0; i < space->rank; i++)
        back[i] = (int64_t)(0 - (uint64_t)offset[i]);
    select_this(space, fth_selection_shift(space->selection, back, &accesses->selection.means));
}

/* ---- a call ---- */

static void change(struct fth_accesses *accesses, enum fth_space_operation operation,
                   struct fth_space *space, const struct arguments *given)
{
    const struct fth_space *other = given->handle_count > 1 ? given->spaces[1] : NULL;
    switch (operation) {
    case FTH_SPACE_SIMPLE:
        set_extent(space, given->lists[0]);
        space->is_moved = false;
        select_this(space, fth_selection_all(space->rank));
        return;
    case FTH_SPACE_EXTENT_COPY:
        space->is_known = other && other->is_known;
        space->rank = other ? other->rank : 0;
        if (other)
            memcpy(space->extent, other->extent, sizeof space->extent);
        select_this(space, fth_selection_all(space->rank));
        return;
    case FTH_SPACE_ALL:
        select_this(space, fth_selection_all(space->rank));
        return;
    case FTH_SPACE_NOTHING:
        select_this(space, fth_selection_nothing(space->rank));
        return;
    case FTH_SPACE_HYPERSLAB:
    case FTH_SPACE_POINTS:
        select_new(accesses, operation, space, given);
        return;
    case FTH_SPACE_COMBINATION:
    case FTH_SPACE_SELECTION_COPY:
        select_of(accesses, operation, space, given);
        return;
    case FTH_SPACE_OFFSET:
    case FTH_SPACE_ADJUSTED:
        move_selection(accesses, operation, space, given);
        return;
    default:
        return;
    }
}

/* The dataspace of a dataset has shown its extent: so large is the dataset. */
static void show_extent(struct fth_space *space, const struct fth_value *extent)
{
    if (space && !space->is_known)
        set_extent(space, extent);
    if (space && space->is_known && space->selection && space->selection->form == FTH_SELECTION_ALL)
        select_this(space, fth_selection_all(space->rank));
}

/* What the handle that the call makes stands for; NULL: no dataspace, or one of which nothing is
 * known. */
static struct fth_space *make_space(struct fth_accesses *accesses,
                                    const struct fth_range_semantics *semantics,
                                    const struct arguments *given, int64_t slot)
{
    const struct fth_space *from = given->handle_count ? given->spaces[0] : NULL;
    struct fth_space *made = NULL;
    switch (semantics->array.space_operation) {
    case FTH_SPACE_SPACE:
        if (given->choice != SCALAR && given->choice != SIMPLE)
            return NULL;
        made = fth_new(1, sizeof *made);
        made->is_known = given->choice == SCALAR;
        made->selection = fth_selection_all(0);
        return made;
    case FTH_SPACE_SIMPLE:
        made = fth_new(1, sizeof *made);
        change(accesses, FTH_SPACE_SIMPLE, made, given);
        return made;
    case FTH_SPACE_DATASET:
        return new_dataset(accesses, semantics, given, slot);
    case FTH_SPACE_OF_DATASET:
        made = from && from->is_dataset ? copy_of(from) : fth_new(1, sizeof *made);
        if (!made->selection)
            made->selection = fth_selection_all(0);
        return made;
    case FTH_SPACE_HYPERSLAB:
    case FTH_SPACE_COMBINATION:
        if (!from || from->is_dataset)
            return NULL;
        made = copy_of(from);
        change(accesses, semantics->array.space_operation, made, given);
        return made;
    default:
        return semantics->row->flags & FTH_CALL_COPIES && from && !from->is_dataset ? copy_of(from)
                                                                                    : NULL;
    }
}

void fth_following_spaces(struct fth_accesses *accesses,
                          const struct fth_range_semantics *semantics)
{
    const struct fth_call *call = &accesses->access->call;
    bool makes = semantics->handles.made != FTH_NO_FIELD &&
                 semantics->handles.made_class == accesses->classes.space;
    if (semantics->handles.given_up >= 0 &&
        semantics->row->fields[semantics->handles.given_up].class_index ==
            accesses->classes.space) {
        int64_t slot = fth_number_of(call, semantics->handles.given_up);
        const struct fth_space *space = fth_followed_at(accesses, accesses->classes.space, slot);
        if (space && space->is_dataset)
            fth_space_drop(fth_followed_put(accesses, accesses->classes.space, slot, NULL));
    }
    if (!makes && !semantics->array.space_operation)
        return;
    struct arguments given;
    sort_arguments(accesses, semantics, &given);
    if (makes) {
        int64_t slot = fth_number_of(call, semantics->handles.made);
        fth_following_made(accesses, accesses->classes.space, slot,
                           make_space(accesses, semantics, &given, slot));
    } else if (semantics->array.space_operation == FTH_SPACE_EXTENT) {
        set_extents(accesses, &given);
    } else if (given.handle_count && given.spaces[0] &&
               semantics->array.space_operation == FTH_SPACE_SHOWN_EXTENT) {
        show_extent(given.spaces[0], given.lists[0]);
    } else if (given.handle_count && given.spaces[0] && given.spaces[0]->selection) {
        change(accesses, semantics->array.space_operation, given.spaces[0], &given);
    }
}
