/* Following the calls of a process: where descriptors and file pointers stand, what datatypes and views are, and so which bytes a call accesses. */
#include "base/memory.h"
#include "catalog/values.h"
#include "model/following.h"

#include <string.h>

enum { MOST_TYPE_NUMBERS = 1 << 27 /* in all datatypes that are alive */ };

/* ---- what stands at handles ---- */

const struct fth_value *fth_value_of(const struct fth_call *call, int field)
{
    return field == FTH_RESULT ? &call->result : field >= 0 ? &call->arguments[field] : NULL;
}

/* Of a single handle or integer; FTH_NOWHERE: there is none. */
static int64_t number_of(const struct fth_call *call, int field)
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

struct fth_opened *fth_opened_of(const struct fth_accesses *accesses, const struct fth_sense *sense,
                                 const struct fth_call *call)
{
    if (sense->handle < 0 || sense->meaning->buffered)
        return NULL;
    const struct fth_value *value = fth_value_of(call, sense->handle);
    int64_t number = sense->handle == sense->aio && value->count ? value->integers[0]
                                                                 : number_of(call, sense->handle);
    return fth_followed_at(accesses, sense->handle_class, number);
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
    drop_type(accesses, fth_followed_put(accesses, accesses->datatype_class, slot, type));
}

/* The type of a handle: a predefined one is made when it is met first. NULL: not known. */
static struct fth_made_datatype *type_at(struct fth_accesses *accesses, int64_t slot,
                                         const char *name)
{
    struct fth_made_datatype *type = fth_followed_at(accesses, accesses->datatype_class, slot);
    bool named = type && type->tree.form == FTH_DATATYPE_NAMED;
    if (!name || (named && strcmp(type->tree.name, name) == 0))
        return named && !name ? NULL : type;
    put_type(accesses, slot, fth_datatype_named(name));
    return fth_followed_at(accesses, accesses->datatype_class, slot);
}

static struct fth_made_datatype *type_of(struct fth_accesses *accesses, const struct fth_call *call,
                                         int field)
{
    const struct fth_value *value = fth_value_of(call, field);
    return value && value->type == FTH_VALUE_HANDLE ? type_at(accesses, value->integer, value->text)
                                                    : NULL;
}

/* Sorts the arguments of a constructor by their kind; false: they are more than any has. */
static bool sort_arguments(struct fth_accesses *accesses, const struct fth_sense *sense,
                           const struct fth_call *call, struct fth_constructor *to,
                           struct fth_made_datatype **parts, size_t most_parts)
{
    for (size_t i = 0; i < sense->row->field_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        const struct fth_field *field = &sense->row->fields[i];
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

static struct fth_made_datatype *build(struct fth_accesses *accesses, const struct fth_sense *sense,
                                       const struct fth_call *call)
{
    size_t most = most_parts(call);
    struct fth_made_datatype **parts = fth_new(most, sizeof *parts), *made = NULL;
    struct fth_constructor constructor = {
        .form = sense->form, .name = sense->row->builds, .parts = parts};
    if (sort_arguments(accesses, sense, call, &constructor, parts, most) &&
        accesses->type_numbers < MOST_TYPE_NUMBERS)
        made = fth_datatype_make(&constructor, accesses->process->constants);
    free(parts);
    return made;
}

/* ---- handles that are made ---- */

static void let_go(struct fth_accesses *accesses, int handle_class, void *what)
{
    if (handle_class == accesses->datatype_class)
        fth_datatype_drop(what);
    else
        fth_opened_drop(what);
}

static void arrive(struct fth_accesses *accesses, const struct fth_coming *coming)
{
    if (coming->handle_class == accesses->datatype_class)
        put_type(accesses, coming->number, coming->what);
    else
        fth_opened_drop(
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
    FTH_GROW(accesses->coming, accesses->coming_count);
    accesses->coming[accesses->coming_count++] =
        (struct fth_coming){call->end, call->thread, call->depth, handle_class, number, what};
}

/* Calls that were over before this one began, or that it cannot be inside of, have made what they make. */
static void let_arrive(struct fth_accesses *accesses, const struct fth_call *call)
{
    size_t kept = 0;
    for (size_t i = 0; i < accesses->coming_count; i++) {
        const struct fth_coming *coming = &accesses->coming[i];
        bool same = coming->thread == call->thread;
        if (same ? call->depth <= coming->depth : coming->end <= call->start)
            arrive(accesses, coming);
        else
            accesses->coming[kept++] = *coming;
    }
    accesses->coming_count = kept;
}

static void open_file(struct fth_accesses *accesses, const struct fth_sense *sense,
                      const struct fth_call *call)
{
    struct fth_opened *opened = fth_new(1, sizeof *opened);
    const struct fth_value *comm = fth_value_of(call, sense->comm);
    const char *of = comm && comm->text ? comm->text : "";
    const struct fth_process *process = &accesses->process->facts;
    opened->references = 1;
    opened->appends = (number_of(call, sense->flags) & sense->append) != 0;
    opened->alone = strcmp(of, "MPI_COMM_SELF") == 0 ||
                    (strcmp(of, "MPI_COMM_WORLD") == 0 && process->size == 1);
    if (!sense->opens)
        opened->position = FTH_NOWHERE;
    if (sense->is_mpi) {
        opened->etype = fth_datatype_named("MPI_BYTE");
        opened->filetype = fth_datatype_share(opened->etype);
        opened->view = (struct fth_file_view){0, &opened->etype->tree, &opened->filetype->tree};
        if (opened->appends)
            opened->position = opened->shared_position = FTH_NOWHERE;
    }
    will_be(accesses, call, sense->made_class, number_of(call, sense->made), opened);
}

static void follow_handles(struct fth_accesses *accesses, const struct fth_sense *sense,
                           const struct fth_call *call, struct fth_opened *opened)
{
    int given_up = sense->given_up;
    if (sense->dups && opened)
        opened->references++;
    if (given_up >= 0 &&
        !accesses->trace->catalog.classes[sense->row->fields[given_up].class_index].buffered)
        fth_opened_drop(fth_followed_put(accesses, sense->row->fields[given_up].class_index,
                                         number_of(call, given_up), NULL));
    if (sense->made == FTH_NO_FIELD || accesses->trace->catalog.classes[sense->made_class].buffered)
        return;
    if (sense->dups)
        will_be(accesses, call, sense->made_class, number_of(call, sense->made), opened);
    else
        open_file(accesses, sense, call);
}

/* ---- views ---- */

static void set_view(struct fth_accesses *accesses, const struct fth_sense *sense,
                     const struct fth_call *call, struct fth_opened *opened)
{
    struct fth_made_datatype *types[2] = {NULL, NULL};
    const char *representation = "native";
    int64_t displacement = 0;
    for (size_t i = 0, found = 0; i < sense->row->field_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        const struct fth_field *field = &sense->row->fields[i];
        if (field->class_index == accesses->datatype_class && found < 2)
            types[found++] = type_of(accesses, call, (int)i);
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
}

/* The types of a view get handles of their own. */
static void get_view(struct fth_accesses *accesses, const struct fth_sense *sense,
                     const struct fth_call *call, const struct fth_opened *opened)
{
    struct fth_made_datatype *types[] = {opened->etype, opened->filetype};
    for (size_t i = 0, found = 0; i < sense->row->field_count && found < 2; i++) {
        const struct fth_field *field = &sense->row->fields[i];
        if (field->class_index != accesses->datatype_class)
            continue;
        struct fth_made_datatype *type = fth_datatype_share(types[found++]);
        will_be(accesses, call, accesses->datatype_class, number_of(call, (int)i), type);
    }
}

/* ---- positions ---- */

static int64_t *pointer_of(const struct fth_sense *sense, struct fth_opened *opened)
{
    return sense->row->flags & FTH_CALL_COMMON ? &opened->shared_position : &opened->position;
}

/* Sums that cannot be are nowhere. */
static int64_t behind(int64_t position, int64_t distance)
{
    int64_t sum;
    bool fits = position >= 0 && !__builtin_add_overflow(position, distance, &sum) && sum >= 0;
    return fits ? sum : FTH_NOWHERE;
}

static void follow_seek(const struct fth_sense *sense, const struct fth_call *call,
                        struct fth_opened *opened)
{
    int64_t *position = pointer_of(sense, opened);
    if (sense->position == FTH_RESULT) {
        *position = number_of(call, FTH_RESULT);
        return;
    }
    if (sense->distance < 0) { /* MPI_File_get_position */
        if (sense->out_count)
            *position = number_of(call, sense->outs[0]);
        return;
    }
    const struct fth_value *whence =
        fth_value_of(call, fth_field_with_role(sense->row, FTH_ROLE_WHENCE));
    const char *from = whence && whence->text ? whence->text : "";
    int64_t distance = number_of(call, sense->distance);
    if (strstr(from, "_SET"))
        *position = distance;
    else if (strstr(from, "_CUR"))
        *position = behind(*position, distance);
    else
        *position = FTH_NOWHERE;
}

/* ---- which bytes ---- */

static void access_unknown(struct fth_access *access, const char *why)
{
    access->kind = FTH_ACCESS_UNKNOWN;
    access->why = why;
}

static void access_at(struct fth_accesses *accesses, int64_t at)
{
    struct fth_access *access = accesses->access;
    int64_t end;
    if (at < 0 || access->length > INT64_MAX ||
        __builtin_add_overflow(at, (int64_t)access->length, &end)) {
        access_unknown(access, "its place is no place in a file");
        return;
    }
    access->kind = FTH_ACCESS_BYTES;
    accesses->ranges.tile = NULL;
    accesses->ranges.at = at;
}

/* A position that a call was given, or -1 where it says "at the descriptor's own". */
static int64_t given_place(const struct fth_sense *sense, const struct fth_call *call,
                           const struct fth_value **value)
{
    *value = fth_value_of(call, sense->aio >= 0 ? sense->aio : sense->offset);
    if (*value && (*value)->type == FTH_VALUE_INTEGERS && (*value)->count == 3)
        return (*value)->integers[1];
    if (*value && (*value)->type == FTH_VALUE_INTEGER)
        return (*value)->integer;
    *value = fth_value_of(call, sense->handle_at);
    if (*value && (*value)->type == FTH_VALUE_INTEGERS && (*value)->count == 1)
        return (*value)->integers[0];
    *value = NULL;
    return FTH_NOWHERE;
}

/* Where bytes go to, or come from, that a call moves between two descriptors. */
static void move_other(struct fth_accesses *accesses, const struct fth_sense *sense,
                       const struct fth_call *call)
{
    struct fth_opened *other =
        fth_followed_at(accesses, sense->other_class, number_of(call, sense->other));
    const struct fth_value *place = fth_value_of(call, sense->other_at);
    if (other && !(place && place->type == FTH_VALUE_INTEGERS))
        other->position = behind(other->position, (int64_t)call->bytes);
}

static void access_descriptor(struct fth_accesses *accesses, const struct fth_sense *sense,
                              const struct fth_call *call, struct fth_opened *opened)
{
    struct fth_access *access = accesses->access;
    const struct fth_value *given;
    int64_t place = given_place(sense, call, &given);
    bool advances = sense->row->flags & FTH_CALL_ADVANCES;
    bool appends =
        call->writes && !advances &&
        ((opened && opened->appends) ||
         (number_of(call, sense->flags) > 0 && (number_of(call, sense->flags) & sense->append)));
    if (sense->other >= 0)
        move_other(accesses, sense, call);
    if (given && advances && opened)
        opened->position = behind(place, (int64_t)access->length);
    if (given && (place >= 0 || advances) && !appends) {
        if (place < 0)
            access_unknown(access, "the descriptor has no position");
        else
            access_at(accesses, place);
        return;
    }
    if (appends)
        access_unknown(access, "it is written to the end of the file, wherever that is");
    else if (!opened || opened->position < 0)
        access_unknown(access, "the position of the descriptor is not known");
    else
        access_at(accesses, opened->position);
    if (opened && !(given && place >= 0))
        opened->position =
            appends ? FTH_NOWHERE : behind(opened->position, (int64_t)access->length);
}

/* ---- files of MPI ---- */

/* How far the call moves the file pointer, in etypes: what it asked for, whatever came of it (MPI 4.1, 14.4.3). */
static int64_t etypes_asked(const struct fth_call *call, int64_t etype)
{
    return call->bytes_asked == FTH_NO_BYTES || call->bytes_asked > INT64_MAX
               ? FTH_NOWHERE
               : (int64_t)call->bytes_asked / etype;
}

static void access_view(struct fth_accesses *accesses, const struct fth_sense *sense,
                        const struct fth_call *call, struct fth_opened *opened)
{
    struct fth_access *access = accesses->access;
    bool shared = sense->row->flags & FTH_CALL_COMMON;
    if (!opened) {
        access_unknown(access, "the file was opened before the trace begins");
        return;
    }
    access->view = &opened->view;
    int64_t etype = opened->etype ? opened->etype->tree.size : 0, skip;
    if (etype <= 0 || !opened->filetype) {
        *pointer_of(sense, opened) = FTH_NOWHERE;
        access_unknown(access, "the file view is of datatypes that are not known");
        return;
    }
    int64_t *pointer = sense->view >= 0 ? NULL : pointer_of(sense, opened);
    int64_t place = pointer ? *pointer : number_of(call, sense->view);
    if (pointer) {
        int64_t asked = etypes_asked(call, etype);
        *pointer = asked < 0 ? FTH_NOWHERE : behind(place, asked);
    }
    if (shared && !opened->alone) {
        access_unknown(access, "other processes move the shared file pointer, too");
        return;
    }
    if (place < 0 || __builtin_mul_overflow(place, etype, &skip)) {
        access_unknown(access, "the file pointer is not known");
        return;
    }
    const struct fth_made_datatype *filetype = opened->filetype;
    accesses->ranges.tile = filetype->layout;
    accesses->ranges.at = opened->view.displacement;
    accesses->ranges.extent = filetype->tree.extent;
    accesses->ranges.skip = skip;
    access->kind = FTH_ACCESS_BYTES;
    if (access->length > INT64_MAX ||
        (access->length &&
         !fth_layout_walk(&accesses->walk, filetype->layout, opened->view.displacement,
                          filetype->tree.extent, skip, (int64_t)access->length)))
        access_unknown(access, "its places in the file view are no places in a file");
}

/* ---- a call ---- */

static void follow_data(struct fth_accesses *accesses, const struct fth_sense *sense,
                        const struct fth_call *call, struct fth_opened *opened)
{
    struct fth_access *access = accesses->access;
    if (sense->meaning->buffered || sense->ends || call->error_number)
        return;
    access->length = call->bytes_known ? call->bytes : call->bytes_asked;
    if (access->length == FTH_NO_BYTES) {
        access->length = 0;
        if (opened)
            *pointer_of(sense, opened) = FTH_NOWHERE;
        access_unknown(access, "how many bytes it moved is not known");
        return;
    }
    if (sense->is_mpi)
        access_view(accesses, sense, call, opened);
    else if (sense->handle >= 0)
        access_descriptor(accesses, sense, call, opened);
}

static void follow(struct fth_accesses *accesses)
{
    const struct fth_call *call = &accesses->access->call;
    const struct fth_sense *sense = fth_sense_of(accesses, call);
    if (accesses->coming_count)
        let_arrive(accesses, call);
    struct fth_opened *opened = fth_opened_of(accesses, sense, call);
    fth_follow_operations(accesses, sense, opened);
    if (call->reads || call->writes)
        follow_data(accesses, sense, call, opened);
    if (call->error_number)
        return;
    if (sense->datatype >= 0) {
        struct fth_made_datatype *type = type_of(accesses, call, sense->datatype);
        accesses->access->datatype = type ? &type->tree : NULL;
    }
    if (sense->seeks && opened)
        follow_seek(sense, call, opened);
    if (sense->sets_view && opened)
        set_view(accesses, sense, call, opened);
    if (sense->gets_view && opened)
        get_view(accesses, sense, call, opened);
    if (sense->made != FTH_NO_FIELD || sense->given_up >= 0)
        follow_handles(accesses, sense, call, opened);
    if (sense->frees_type)
        put_type(accesses, number_of(call, fth_field_with_role(sense->row, FTH_ROLE_CLOSE)), NULL);
    int made = sense->builds ? fth_field_with_role(sense->row, FTH_ROLE_NEW) : -1;
    if (made >= 0)
        will_be(accesses, call, accesses->datatype_class, number_of(call, made),
                build(accesses, sense, call));
}

/* ---- doors ---- */

struct fth_accesses *fth_accesses_open(struct fth_trace *trace, size_t proc,
                                       struct fth_calls *calls)
{
    struct fth_accesses *accesses = fth_new(1, sizeof *accesses);
    const struct fth_catalog *catalog = &trace->catalog;
    accesses->calls = calls;
    accesses->trace = trace;
    accesses->process = &trace->processes[proc];
    accesses->proc = proc;
    accesses->senses = fth_new(catalog->row_count, sizeof *accesses->senses);
    accesses->followed = fth_new(catalog->class_count, sizeof *accesses->followed);
    accesses->file_class = fth_class_of_name(catalog, "mpi_file", strlen("mpi_file"));
    accesses->datatype_class = fth_class_of_name(catalog, "datatype", strlen("datatype"));
    accesses->descriptor_class = trace->descriptors;
    return accesses;
}

void fth_accesses_rewind(struct fth_accesses *accesses)
{
    const struct fth_access *access = accesses->access;
    int64_t length = access && access->kind == FTH_ACCESS_BYTES ? (int64_t)access->length : 0;
    if (length && accesses->ranges.tile)
        fth_layout_walk(&accesses->walk, accesses->ranges.tile, accesses->ranges.at,
                        accesses->ranges.extent, accesses->ranges.skip, length);
    else
        fth_layout_walk_dense(&accesses->walk, accesses->ranges.at, length);
}

int fth_accesses_next(struct fth_accesses *accesses, struct fth_access *access,
                      struct fth_error **error)
{
    *access = (struct fth_access){.kind = FTH_ACCESS_NONE};
    accesses->access = access;
    if (accesses->over_count)
        fth_forget_operations(accesses);
    int more = fth_calls_next(accesses->calls, &access->call, error);
    if (more <= 0)
        return more;
    follow(accesses);
    fth_accesses_rewind(accesses);
    return 1;
}

bool fth_accesses_range(struct fth_accesses *accesses, struct fth_range *range)
{
    int64_t at, length;
    if (!fth_layout_walk_next(&accesses->walk, &at, &length))
        return false;
    *range = (struct fth_range){(uint64_t)at, (uint64_t)length};
    return true;
}

static void free_followed(struct fth_accesses *accesses, int handle_class)
{
    struct fth_followed *followed = &accesses->followed[handle_class];
    enum fth_class_form form = accesses->trace->catalog.classes[handle_class].form;
    for (uint32_t i = 0; i < followed->room; i++)
        if (handle_class == accesses->datatype_class || form == FTH_CLASS_FILE)
            let_go(accesses, handle_class, followed->at[i]);
    free(followed->at);
}

void fth_accesses_close(struct fth_accesses *accesses)
{
    if (!accesses)
        return;
    for (size_t i = 0; i < accesses->coming_count; i++)
        let_go(accesses, accesses->coming[i].handle_class, accesses->coming[i].what);
    for (size_t i = 0; i < accesses->trace->catalog.class_count; i++)
        free_followed(accesses, (int)i);
    fth_free_operations(accesses);
    free(accesses->coming);
    free(accesses->followed);
    free(accesses->senses);
    free(accesses);
}
