/* Handles, views and datatypes of a process whose calls are followed. */
#include "model/ranges/following.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "model/ranges/dataspace.h"

#include <string.h>

enum { MOST_TYPE_NUMBERS = 1 << 27 /* in all datatypes that are alive */ };

/* ---- what stands at handles ---- */

const struct fth_value *fth_value_of(const struct fth_call *call, int field)
{
    return field == FTH_RESULT ? &call->result : field >= 0 ? &call->arguments[field] : NULL;
}

int64_t fth_number_of(const struct fth_call *call, int field)
{
    const struct fth_value *value = fth_value_of(call, field);
    bool has = value && (value->type == FTH_VALUE_HANDLE || value->type == FTH_VALUE_INTEGER);
    return has ? value->integer : FTH_NOWHERE;
}

void *fth_followed_at(const struct fth_accesses *accesses, int class_index, int64_t number)
{
    if (class_index < 0 || number < 0)
        return NULL;
    const struct fth_followed *followed = &accesses->followed[class_index];
    return number < followed->room ? followed->at[number] : NULL;
}

void *fth_followed_put(struct fth_accesses *accesses, int class_index, int64_t number, void *what)
{
    if (class_index < 0 || number < 0 || number >= FTH_FOLLOWED_NUMBERS)
        return what;
    struct fth_followed *followed = &accesses->followed[class_index];
    if (!what && number >= followed->room)
        return NULL;
    followed->at = fth_reach(followed->at, &followed->room, (uint32_t)number, sizeof(void *));
    void *before = followed->at[number];
    followed->at[number] = what;
    return before;
}

/* Of the file that the call is about, also where that is in a control block. */
static int64_t file_number(const struct fth_range_semantics *semantics, const struct fth_call *call)
{
    const struct fth_value *value = fth_value_of(call, semantics->handles.file);
    return semantics->handles.file == semantics->place.aio && value->count
               ? value->integers[0]
               : fth_number_of(call, semantics->handles.file);
}

struct fth_opened *fth_opened_of(const struct fth_accesses *accesses,
                                 const struct fth_range_semantics *semantics,
                                 const struct fth_call *call)
{
    if (semantics->handles.file < 0 || semantics->meaning->buffered)
        return NULL;
    return fth_followed_at(accesses, semantics->handles.file_class, file_number(semantics, call));
}

void fth_opened_drop(struct fth_opened *opened)
{
    if (!opened || --opened->references)
        return;
    fth_datatype_drop(opened->etype);
    fth_datatype_drop(opened->filetype);
    free(opened);
}

/* ---- datatypes ---- */

static void drop_type(struct fth_accesses *accesses, struct fth_made_datatype *type)
{
    if (!type)
        return;
    accesses->type_numbers -= type->tree.integer_count;
    fth_datatype_drop(type);
}

static void put_type(struct fth_accesses *accesses, int64_t slot, struct fth_made_datatype *type)
{
    if (type)
        accesses->type_numbers += type->tree.integer_count;
    drop_type(accesses, fth_followed_put(accesses, accesses->classes.datatype, slot, type));
}

static void keep_replaced(struct fth_accesses *accesses, struct fth_made_datatype *type)
{
    if (!type)
        return;
    FTH_GROW(accesses->replaced.types, accesses->replaced.count);
    accesses->replaced.types[accesses->replaced.count++] = type;
}

void fth_following_drop_replaced(struct fth_accesses *accesses)
{
    while (accesses->replaced.count)
        drop_type(accesses, accesses->replaced.types[--accesses->replaced.count]);
    free(accesses->replaced.types);
    accesses->replaced.types = NULL;
}

/* The type of a handle: a predefined one is made when it is met first. NULL: not known. */
static struct fth_made_datatype *type_at(struct fth_accesses *accesses, int64_t slot,
                                         const char *name)
{
    struct fth_made_datatype *type = fth_followed_at(accesses, accesses->classes.datatype, slot);
    bool named = type && type->tree.form == FTH_DATATYPE_NAMED;
    if (!name || (named && strcmp(type->tree.name, name) == 0))
        return named && !name ? NULL : type;
    keep_replaced(accesses, fth_followed_put(accesses, accesses->classes.datatype, slot,
                                             fth_datatype_named(name)));
    return fth_followed_at(accesses, accesses->classes.datatype, slot);
}

struct fth_made_datatype *fth_datatype_of(struct fth_accesses *accesses,
                                          const struct fth_call *call, int field)
{
    const struct fth_value *value = fth_value_of(call, field);
    return value && value->type == FTH_VALUE_HANDLE ? type_at(accesses, value->integer, value->text)
                                                    : NULL;
}

/* A predefined type that is asked for: it lives until the next access, and no handle becomes it, as
 * the call is over. */
static struct fth_made_datatype *predefined(struct fth_accesses *accesses, const char *name)
{
    for (size_t i = 0; i < accesses->replaced.count; i++) {
        struct fth_made_datatype *type = accesses->replaced.types[i];
        if (type->tree.form == FTH_DATATYPE_NAMED && strcmp(type->tree.name, name) == 0)
            return type;
    }
    struct fth_made_datatype *made = fth_datatype_named(name);
    keep_replaced(accesses, made);
    return made;
}

const struct fth_datatype *fth_accesses_datatype(struct fth_accesses *accesses, int parameter)
{
    const struct fth_value *value = fth_value_of(&accesses->access->call, parameter);
    if (!value || value->type != FTH_VALUE_HANDLE)
        return NULL;
    struct fth_made_datatype *type =
        fth_followed_at(accesses, accesses->classes.datatype, value->integer);
    bool named = type && type->tree.form == FTH_DATATYPE_NAMED;
    if (value->text && !(named && strcmp(type->tree.name, value->text) == 0))
        type = predefined(accesses, value->text);
    else if (named && !value->text)
        type = NULL;
    return type ? &type->tree : NULL;
}

/* Sorts the arguments of a constructor by their kind; false: they are more than any has. */
static bool sort_arguments(struct fth_accesses *accesses,
                           const struct fth_range_semantics *semantics, const struct fth_call *call,
                           struct fth_constructor *to, struct fth_made_datatype **parts,
                           size_t most_parts)
{
    for (size_t i = 0; i < semantics->row->field_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        const struct fth_field *field = &semantics->row->fields[i];
        if (field->role == FTH_ROLE_NEW)
            continue;
        if (value->type == FTH_VALUE_INTEGER) {
            if (to->integer_count == sizeof to->integers / sizeof *to->integers)
                return false;
            to->integers[to->integer_count++] = value->integer;
        } else if (value->type == FTH_VALUE_INTEGERS) {
            if (to->list_count == FTH_DATATYPE_LISTS)
                return false;
            to->lists[to->list_count].numbers = value->integers;
            to->lists[to->list_count++].count = value->count;
        } else if (value->type == FTH_VALUE_HANDLE && to->part_count < most_parts) {
            parts[to->part_count++] = type_at(accesses, value->integer, value->text);
        } else if (value->type == FTH_VALUE_HANDLES) {
            for (size_t k = 0; k < value->count && to->part_count < most_parts; k++)
                parts[to->part_count++] = type_at(accesses, value->integers[k], value->texts[k]);
        }
    }
    return true;
}

static size_t most_parts(const struct fth_call *call)
{
    size_t most = 1;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (call->arguments[i].type == FTH_VALUE_HANDLES)
            most += call->arguments[i].count;
    return most;
}

static struct fth_made_datatype *build(struct fth_accesses *accesses,
                                       const struct fth_range_semantics *semantics,
                                       const struct fth_call *call)
{
    size_t most = most_parts(call);
    struct fth_made_datatype **parts = fth_new(most, sizeof *parts), *made = NULL;
    struct fth_constructor constructor = {
        .form = semantics->form, .name = semantics->row->builds, .parts = parts};
    if (sort_arguments(accesses, semantics, call, &constructor, parts, most) &&
        accesses->type_numbers < MOST_TYPE_NUMBERS)
        made = fth_datatype_make(&constructor, accesses->process->constants);
    free(parts);
    return made;
}

/* ---- handles that are made ---- */

static void let_go(struct fth_accesses *accesses, int handle_class, void *what)
{
    if (handle_class == accesses->classes.datatype)
        fth_datatype_drop(what);
    else if (handle_class == accesses->classes.space)
        fth_space_drop(what);
    else
        fth_opened_drop(what);
}

static void arrive(struct fth_accesses *accesses, const struct fth_coming *coming)
{
    if (coming->handle_class == accesses->classes.datatype)
        put_type(accesses, coming->number, coming->what);
    else
        let_go(accesses, coming->handle_class,
               fth_followed_put(accesses, coming->handle_class, coming->number, coming->what));
}

/* From the end of this call on the handle is there. */
static void will_be(struct fth_accesses *accesses, const struct fth_call *call, int handle_class,
                    int64_t number, void *what)
{
    if (number < 0 || number >= FTH_FOLLOWED_NUMBERS) {
        let_go(accesses, handle_class, what);
        return;
    }
    accesses->arrivals.coming =
        fth_reach(accesses->arrivals.coming, &accesses->arrivals.limit,
                  (uint32_t)accesses->arrivals.count, sizeof *accesses->arrivals.coming);
    accesses->arrivals.coming[accesses->arrivals.count++] =
        (struct fth_coming){call->end, call->thread, call->depth, handle_class, number, what};
}

void fth_following_made(struct fth_accesses *accesses, int class_index, int64_t number, void *what)
{
    will_be(accesses, &accesses->access->call, class_index, number, what);
}

void fth_following_arrivals(struct fth_accesses *accesses, const struct fth_call *call)
{
    size_t kept = 0;
    for (size_t i = 0; i < accesses->arrivals.count; i++) {
        const struct fth_coming *coming = &accesses->arrivals.coming[i];
        bool same = coming->thread == call->thread;
        if (same ? call->depth <= coming->depth : coming->end <= call->start)
            arrive(accesses, coming);
        else
            accesses->arrivals.coming[kept++] = *coming;
    }
    accesses->arrivals.count = kept;
}

static void open_file(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                      const struct fth_call *call)
{
    struct fth_opened *opened = fth_new(1, sizeof *opened);
    const struct fth_value *comm = fth_value_of(call, semantics->comm);
    const char *of = comm && comm->text ? comm->text : "";
    const struct fth_process *process = &accesses->process->facts;
    opened->references = 1;
    opened->children = accesses->children;
    opened->appends =
        (fth_number_of(call, semantics->control.flags) & semantics->control.append) != 0;
    opened->alone = strcmp(of, "MPI_COMM_SELF") == 0 ||
                    (strcmp(of, "MPI_COMM_WORLD") == 0 && process->size == 1);
    if (!semantics->opens)
        opened->position = FTH_NOWHERE;
    if (semantics->is_mpi) {
        opened->etype = fth_datatype_named("MPI_BYTE");
        opened->filetype = fth_datatype_share(opened->etype);
        opened->view = (struct fth_file_view){0, &opened->etype->tree, &opened->filetype->tree};
        opened->at_end = opened->appends;
        if (opened->appends)
            opened->position = opened->shared_position = FTH_NOWHERE;
    }
    will_be(accesses, call, semantics->handles.made_class,
            fth_number_of(call, semantics->handles.made), opened);
}

/* `flags`: plus 1; 0: not known. */
static struct fth_opened *find_open(struct fth_accesses *accesses, int handle_class, int64_t number,
                                    uint32_t flags)
{
    if (handle_class < 0 || number < 0 || number >= FTH_FOLLOWED_NUMBERS)
        return NULL;
    struct fth_opened *opened = fth_new(1, sizeof *opened);
    opened->references = 1;
    opened->children = accesses->children;
    opened->position = FTH_NOWHERE;
    opened->was_there = true;
    opened->appends = flags && ((flags - 1) & accesses->flag_to_append);
    fth_opened_drop(fth_followed_put(accesses, handle_class, number, opened));
    return opened;
}

struct fth_opened *fth_following_found(struct fth_accesses *accesses,
                                       const struct fth_range_semantics *semantics)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_value *value = fth_value_of(call, semantics->handles.file);
    if (semantics->handles.file < 0 || (!value->flags && !call->stood_is_reported))
        return NULL;
    return find_open(accesses, semantics->handles.file_class, file_number(semantics, call),
                     value->flags);
}

struct fth_opened *fth_following_other(struct fth_accesses *accesses,
                                       const struct fth_range_semantics *semantics)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_value *value = fth_value_of(call, semantics->handles.other);
    int64_t number = fth_number_of(call, semantics->handles.other);
    struct fth_opened *other = fth_followed_at(accesses, semantics->handles.other_class, number);
    return other || !value->flags
               ? other
               : find_open(accesses, semantics->handles.other_class, number, value->flags);
}

static void follow_files(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                         const struct fth_call *call, struct fth_opened *opened)
{
    int given_up = semantics->handles.given_up;
    if (semantics->dups && opened)
        opened->references++;
    if (given_up >= 0 &&
        !accesses->trace->catalog.classes[semantics->row->fields[given_up].class_index].buffered)
        fth_opened_drop(fth_followed_put(accesses, semantics->row->fields[given_up].class_index,
                                         fth_number_of(call, given_up), NULL));
    if (semantics->handles.made == FTH_NO_FIELD ||
        accesses->trace->catalog.classes[semantics->handles.made_class].buffered)
        return;
    if (semantics->dups)
        will_be(accesses, call, semantics->handles.made_class,
                fth_number_of(call, semantics->handles.made), opened);
    else
        open_file(accesses, semantics, call);
}

/* ---- views ---- */

static void set_view(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                     const struct fth_call *call, struct fth_opened *opened)
{
    struct fth_made_datatype *types[2] = {NULL, NULL};
    const char *representation = "native";
    int64_t displacement = 0;
    for (size_t i = 0, found = 0; i < semantics->row->field_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        const struct fth_field *field = &semantics->row->fields[i];
        if (field->class_index == accesses->classes.datatype && found < 2)
            types[found++] = fth_datatype_of(accesses, call, (int)i);
        else if (value->type == FTH_VALUE_INTEGER)
            displacement = value->integer;
        else if (value->type == FTH_VALUE_TEXT && value->text)
            representation = value->text;
    }
    /* other representations have sizes of their own */
    bool native = strcmp(representation, "native") == 0 || strcmp(representation, "NATIVE") == 0;
    if (!native || displacement < 0)
        types[0] = types[1] = NULL;
    for (int i = 0; i < 2; i++)
        fth_datatype_share(types[i]);
    fth_datatype_drop(opened->etype);
    fth_datatype_drop(opened->filetype);
    opened->etype = types[0];
    opened->filetype = types[1];
    opened->view = (struct fth_file_view){displacement, types[0] ? &types[0]->tree : NULL,
                                          types[1] ? &types[1]->tree : NULL};
    opened->position = opened->shared_position = 0;
    opened->at_end = false;
    opened->settings++;
}

/* The types of a view get handles of their own. */
static void get_view(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                     const struct fth_call *call, const struct fth_opened *opened)
{
    struct fth_made_datatype *types[] = {opened->etype, opened->filetype};
    for (size_t i = 0, found = 0; i < semantics->row->field_count && found < 2; i++) {
        const struct fth_field *field = &semantics->row->fields[i];
        if (field->class_index != accesses->classes.datatype)
            continue;
        struct fth_made_datatype *type = fth_datatype_share(types[found++]);
        will_be(accesses, call, accesses->classes.datatype, fth_number_of(call, (int)i), type);
    }
}

/* ---- doors ---- */

void fth_following_handles(struct fth_accesses *accesses,
                           const struct fth_range_semantics *semantics, struct fth_opened *opened)
{
    const struct fth_call *call = &accesses->access->call;
    if (semantics->sets_view && opened)
        set_view(accesses, semantics, call, opened);
    if (semantics->gets_view && opened)
        get_view(accesses, semantics, call, opened);
    if (semantics->handles.made != FTH_NO_FIELD || semantics->handles.given_up >= 0)
        follow_files(accesses, semantics, call, opened);
    if (semantics->frees_type)
        put_type(accesses, fth_number_of(call, fth_field_with_role(semantics->row, FTH_ROLE_CLOSE)),
                 NULL);
    int made = semantics->builds ? fth_field_with_role(semantics->row, FTH_ROLE_NEW) : -1;
    if (made >= 0)
        will_be(accesses, call, accesses->classes.datatype, fth_number_of(call, made),
                build(accesses, semantics, call));
}

static void free_followed(struct fth_accesses *accesses, int handle_class)
{
    struct fth_followed *followed = &accesses->followed[handle_class];
    enum fth_class_form form = accesses->trace->catalog.classes[handle_class].form;
    for (uint32_t i = 0; i < followed->room; i++)
        if (handle_class == accesses->classes.datatype || form == FTH_CLASS_FILE)
            let_go(accesses, handle_class, followed->at[i]);
    free(followed->at);
}

void fth_following_free_handles(struct fth_accesses *accesses)
{
    for (size_t i = 0; i < accesses->arrivals.count; i++)
        let_go(accesses, accesses->arrivals.coming[i].handle_class,
               accesses->arrivals.coming[i].what);
    for (size_t i = 0; i < accesses->trace->catalog.class_count; i++)
        free_followed(accesses, (int)i);
    free(accesses->arrivals.coming);
    free(accesses->followed);
}
