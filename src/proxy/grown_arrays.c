/* Follows arrays from their extents to their accesses: see the header. */
#include "proxy/grown_arrays.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "proxy/sequence.h"
#include "trace/record/builtin.h"

#include <string.h>

enum { MOST_DIMENSIONS = 8, NO_STATEMENT = 0 /* others are numbered from 1 */ };

/* A number of a statement: an extent. */
struct origin {
    uint32_t statement, number;
};

/* Of an array: its extents, and where each comes from. */
struct shape {
    uint32_t rank; /* 0: not known */
    struct extent_of {
        struct origin origin;
        int64_t length;
    } extents[MOST_DIMENSIONS];
};

/* A dataspace or dataset of HDF5, or a datatype of MPI. */
struct space {
    struct shape shape;
    uint32_t selection; /* the statement that selected in it last */
};

/* What accesses say of an extent. */
struct extent {
    int64_t part; /* of each rank; 0: no access has said that */
    bool is_fixed;
};

/* A place in a dimension of an array, in a list of a statement. */
struct place {
    uint32_t statement, dimension;
    struct origin origin;
};

struct fth_grown_arrays {
    int64_t rank, ranks;
    struct fth_keyed spaces;     /* struct space, by class and number of the handle */
    struct fth_keyed arrays;     /* struct shape, by file and object or variable */
    struct fth_keyed dimensions; /* struct extent_of, by file and number: of NetCDF */
    struct fth_keyed extents;    /* struct extent, by struct origin */
    struct fth_keyed places;     /* of bool, by struct place */
};

struct fth_grown_arrays *fth_grown_arrays_open(int64_t rank, int64_t ranks)
{
    struct fth_grown_arrays *grown = fth_new(1, sizeof *grown);
    grown->rank = rank;
    grown->ranks = ranks;
    grown->spaces.size = sizeof(struct space);
    grown->arrays.size = sizeof(struct shape);
    grown->dimensions.size = sizeof(struct extent_of);
    grown->extents.size = sizeof(struct extent);
    grown->places.size = sizeof(bool);
    return grown;
}

/* ---- what is known ---- */

/* One call, while it is taken. */
struct taking {
    struct fth_grown_arrays *grown;
    const struct fth_call *call;
    const struct fth_row *row;
    const struct fth_form *form;
    const struct fth_access *access;
    uint32_t statement;
};

static int field_named(const struct fth_row *row, const char *name)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (!strcmp(row->fields[i].name, name))
            return (int)i;
    return -1;
}

struct space_key {
    int64_t handle_class, number;
};

/* False: it is no handle. */
static bool key_of(const struct fth_field *field, const struct fth_value *value,
                   struct space_key *key)
{
    *key = (struct space_key){field->class_index, value->integer};
    return field->class_index >= 0 && value->type == FTH_VALUE_HANDLE;
}

/* What is known of a handle; NULL: nothing. */
static struct space *space_of(const struct taking *taking, const struct fth_field *field,
                              const struct fth_value *value)
{
    struct space_key key;
    uint32_t at;
    return key_of(field, value, &key) &&
                   fth_keyed_number(&taking->grown->spaces, &key, sizeof key, &at)
               ? fth_keyed_item(&taking->grown->spaces, at)
               : NULL;
}

static struct space *space_in(const struct taking *taking, const char *name)
{
    int field = field_named(taking->row, name);
    return field < 0
               ? NULL
               : space_of(taking, &taking->row->fields[field], &taking->call->arguments[field]);
}

static void fix(const struct taking *taking, const struct shape *shape)
{
    for (uint32_t k = 0; k < shape->rank; k++) {
        const struct origin *origin = &shape->extents[k].origin;
        struct extent *extent = fth_keyed_get(&taking->grown->extents, origin, sizeof *origin);
        extent->is_fixed = true;
    }
}

/* The array that a call makes or accesses, by its name or number. */
static struct shape *array_of(const struct taking *taking, const char *object, int64_t variable)
{
    char *key = fth_text_format("%u %lld %s", (unsigned)taking->call->file_number,
                                (long long)variable, variable < 0 && object ? object : "");
    struct shape *shape = fth_keyed_get(&taking->grown->arrays, key, strlen(key));
    free(key);
    return shape;
}

/* Lists of so many numbers, the first one of extents. */
static struct shape shape_of_list(const struct taking *taking, size_t field)
{
    const struct fth_argument *argument = &taking->form->arguments[field];
    const struct fth_value *value = &taking->call->arguments[field];
    struct shape shape = {0};
    if (argument->written != FTH_WRITTEN_LIST || argument->count > MOST_DIMENSIONS ||
        value->type != FTH_VALUE_INTEGERS || value->count != argument->count)
        return shape;
    shape.rank = argument->count;
    for (uint32_t k = 0; k < shape.rank; k++)
        shape.extents[k] =
            (struct extent_of){{taking->statement, argument->first + k}, value->integers[k]};
    return shape;
}

static int first_list(const struct taking *taking)
{
    for (size_t i = 0; i < taking->row->field_count; i++)
        if (taking->row->fields[i].role == FTH_ROLE_IN)
            return (int)i;
    return -1;
}

/* ---- accesses ---- */

/* From `start` on, `width` of `whole` in a dimension. */
struct stretch {
    int64_t start, width, whole;
};

static void note_place(const struct taking *taking, uint32_t statement, uint32_t dimension,
                       struct origin origin)
{
    if (statement == NO_STATEMENT)
        return;
    const struct place place = {statement, dimension, origin};
    fth_keyed_get(&taking->grown->places, &place, sizeof place);
}

static void note_stretch(const struct taking *taking, struct origin origin, struct stretch stretch)
{
    const struct fth_grown_arrays *grown = taking->grown;
    struct extent *extent = fth_keyed_get(&taking->grown->extents, &origin, sizeof origin);
    int64_t begin, all;
    bool is_part = stretch.width > 0 &&
                   !__builtin_mul_overflow(grown->rank, stretch.width, &begin) &&
                   !__builtin_mul_overflow(grown->ranks, stretch.width, &all) &&
                   begin == stretch.start && all == stretch.whole && grown->ranks > 1 &&
                   (!extent->part || extent->part == stretch.width);
    extent->part = stretch.width;
    extent->is_fixed |= !is_part;
}

/* One block without gaps. */
static bool stretch_of(const struct fth_elements *file, uint32_t k, int64_t length,
                       struct stretch *stretch)
{
    if (file->form != FTH_SELECTION_SLABS || file->count != 1)
        return false;
    const int64_t *numbers = file->numbers;
    int64_t start = numbers[k], stride = numbers[file->rank + k],
            count = numbers[2 * file->rank + k], block = numbers[3 * file->rank + k];
    *stretch = (struct stretch){start, 0, file->extent ? file->extent[k] : length};
    return count > 0 && block > 0 && (count == 1 || stride == block) &&
           !__builtin_mul_overflow(count, block, &stretch->width);
}

/* Of HDF5 as its handle says, if the run has made it with that; it may be opened again. */
static const struct shape *accessed(const struct taking *taking,
                                    const struct fth_selected *selected)
{
    struct shape *shape = array_of(taking, selected->object, selected->variable);
    const struct space *dataset = space_in(taking, "dset_id");
    if (dataset && dataset->shape.rank)
        *shape = dataset->shape;
    return shape;
}

static void note_access(const struct taking *taking, const struct fth_selected *selected,
                        uint32_t selection)
{
    const struct shape *shape = accessed(taking, selected);
    const struct fth_elements *file = &selected->file;
    const struct origin none = {0};
    if (file->form == FTH_SELECTION_NOTHING)
        return;
    for (uint32_t k = 0; k < file->rank && k < MOST_DIMENSIONS; k++) {
        bool is_known = shape->rank == file->rank;
        struct stretch stretch = {0};
        if (is_known && !stretch_of(file, k, shape->extents[k].length, &stretch))
            stretch = (struct stretch){0};
        if (is_known)
            note_stretch(taking, shape->extents[k].origin, stretch);
        note_place(taking, selection, k, is_known ? shape->extents[k].origin : none);
    }
}

/* What is in memory has the size that the run had. */
static void note_memory(const struct taking *taking)
{
    struct space *memory = space_in(taking, "mem_space_id"),
                 *file = space_in(taking, "file_space_id");
    if (memory)
        fix(taking, &memory->shape);
    if (file && field_named(taking->row, "mem_space_id") >= 0 && (!memory || !memory->shape.rank))
        fix(taking, &file->shape);
}

static void take_access(const struct taking *taking)
{
    const struct space *file = space_in(taking, "file_space_id");
    bool has_spaces = field_named(taking->row, "file_space_id") >= 0;
    note_memory(taking);
    for (size_t i = 0; i < taking->access->selected_count; i++)
        note_access(taking, &taking->access->selected[i],
                    has_spaces ? file ? file->selection : NO_STATEMENT : taking->statement);
}

/* ---- HDF5 ---- */

static bool builds(const struct taking *taking, const char *what)
{
    return taking->row->builds && !strcmp(taking->row->builds, what);
}

/* A new handle: what had its number before is gone. */
static void begin(const struct taking *taking, const struct fth_field *field,
                  const struct fth_value *value)
{
    struct space_key key;
    if (field->role != FTH_ROLE_NEW || !key_of(field, value, &key))
        return;
    struct space *space = fth_keyed_get(&taking->grown->spaces, &key, sizeof key);
    *space = (struct space){0};
}

static void begin_new(const struct taking *taking)
{
    const struct fth_row *row = taking->row;
    for (size_t i = 0; i < row->field_count; i++)
        begin(taking, &row->fields[i], &taking->call->arguments[i]);
    begin(taking, &row->result, &taking->call->result);
}

static void take_use_of_space(const struct taking *taking, struct space *space)
{
    const struct fth_row *row = taking->row;
    bool is_asked =
        row->result.role != FTH_ROLE_NEW && (!row->builds || !strcmp(row->builds, "shown_extent"));
    if (builds(taking, "hyperslab"))
        space->selection = taking->statement;
    else if (!strcmp(row->kind, "view"))
        space->selection = NO_STATEMENT;
    else if (!is_asked)
        fix(taking, &space->shape);
}

static void take_hdf5(const struct taking *taking)
{
    struct space *space = space_in(taking, "space_id"), *dataset = space_in(taking, "dset_id"),
                 *made = space_of(taking, &taking->row->result, &taking->call->result);
    int list = first_list(taking);
    if (builds(taking, "simple_space") && made && list >= 0)
        made->shape = shape_of_list(taking, (size_t)list);
    else if (builds(taking, "dataset") && space && made)
        made->shape = space->shape;
    else if (builds(taking, "space_of_dataset") && dataset && made)
        made->shape = dataset->shape;
    else if (builds(taking, "extent") && dataset)
        fix(taking, &dataset->shape);
    else if (space)
        take_use_of_space(taking, space);
}

/* ---- NetCDF ---- */

static int64_t integer_in(const struct taking *taking, int field)
{
    const struct fth_value *value = field >= 0 ? &taking->call->arguments[field] : NULL;
    return value && value->type == FTH_VALUE_INTEGER ? value->integer : -1;
}

static struct extent_of *dimension_of(const struct taking *taking, int64_t number)
{
    const int64_t key[] = {taking->call->file_number, number};
    return fth_keyed_get(&taking->grown->dimensions, key, sizeof key);
}

static void take_dimension(const struct taking *taking, int length)
{
    const struct fth_argument *argument = &taking->form->arguments[length];
    int64_t number = integer_in(taking, field_named(taking->row, "idp"));
    if (number >= 0 && argument->written == FTH_WRITTEN_NUMBER)
        *dimension_of(taking, number) =
            (struct extent_of){{taking->statement, argument->first}, integer_in(taking, length)};
}

static void take_variable(const struct taking *taking, int list)
{
    int64_t number = integer_in(taking, field_named(taking->row, "varidp"));
    const struct fth_value *dimensions = &taking->call->arguments[list];
    if (number < 0 || dimensions->type != FTH_VALUE_INTEGERS || dimensions->count > MOST_DIMENSIONS)
        return;
    struct shape *shape = array_of(taking, NULL, number);
    shape->rank = (uint32_t)dimensions->count;
    for (uint32_t k = 0; k < shape->rank; k++)
        shape->extents[k] = *dimension_of(taking, dimensions->integers[k]);
}

static void take_netcdf(const struct taking *taking)
{
    int length = field_named(taking->row, "len"), list = field_named(taking->row, "dimidsp");
    if (length >= 0 && field_named(taking->row, "idp") >= 0)
        take_dimension(taking, length);
    else if (list >= 0 && field_named(taking->row, "varidp") >= 0)
        take_variable(taking, list);
}

/* ---- MPI ---- */

static void take_subarray(const struct taking *taking, size_t sizes)
{
    const struct fth_value *of = &taking->call->arguments[sizes];
    struct shape shape = shape_of_list(taking, sizes);
    const struct fth_field *made = NULL;
    for (size_t i = 0; i < taking->row->field_count; i++)
        if (taking->row->fields[i].role == FTH_ROLE_NEW)
            made = &taking->row->fields[i];
    struct space *space =
        made ? space_of(taking, made, &taking->call->arguments[made - taking->row->fields]) : NULL;
    bool has_lists = shape.rank && of[1].type == FTH_VALUE_INTEGERS &&
                     of[2].type == FTH_VALUE_INTEGERS && of[1].count == of->count &&
                     of[2].count == of->count;
    if (!space || !has_lists)
        return;
    for (uint32_t k = 0; k < shape.rank; k++) {
        note_stretch(taking, shape.extents[k].origin,
                     (struct stretch){of[2].integers[k], of[1].integers[k], of[0].integers[k]});
        note_place(taking, taking->statement, k, shape.extents[k].origin);
    }
    space->shape = shape;
}

/* A view from the beginning of a file may have it; of all others memory or places depend on how
 * large it is. */
static void take_uses(const struct taking *taking)
{
    const struct fth_row *row = taking->row;
    int place = field_named(row, "disp"), filetype = field_named(row, "filetype");
    bool is_view = !strcmp(row->kind, "view") && !integer_in(taking, place), makes = false;
    for (size_t i = 0; i < row->field_count; i++)
        makes |= row->fields[i].role == FTH_ROLE_NEW;
    for (size_t i = 0; i < row->field_count; i++) {
        bool is_used = row->fields[i].role == FTH_ROLE_USE,
             is_kept = (is_view && (int)i == filetype) || (!strcmp(row->kind, "type") && !makes);
        const struct space *space =
            is_used ? space_of(taking, &row->fields[i], &taking->call->arguments[i]) : NULL;
        if (space && !is_kept)
            fix(taking, &space->shape);
    }
}

static void take_mpi(const struct taking *taking)
{
    int list = first_list(taking);
    take_uses(taking);
    if (builds(taking, "subarray") && list >= 0)
        take_subarray(taking, (size_t)list);
}

void fth_grown_arrays_take(struct fth_grown_arrays *grown, const struct fth_proxy_calls *kept,
                           uint32_t statement)
{
    const struct fth_form *form = &kept->reading.form;
    const struct taking taking = {grown, &kept->access.call, form->row,
                                  form,  &kept->access,      statement + 1};
    if (form->fills || form->step || form->failed)
        return;
    begin_new(&taking);
    if (kept->access.selected_count)
        take_access(&taking);
    else if (fth_layer_is(form->row->layer, FTH_LAYER_HDF5))
        take_hdf5(&taking);
    else if (fth_layer_is(form->row->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER))
        take_mpi(&taking);
    else
        take_netcdf(&taking);
}

/* ---- at the end ---- */

static bool grows(const struct fth_grown_arrays *grown, const struct origin *origin,
                  const struct fth_statement *statements)
{
    uint32_t at;
    if (origin->statement == NO_STATEMENT ||
        !fth_keyed_number(&grown->extents, origin, sizeof *origin, &at))
        return false;
    const struct extent *extent = fth_keyed_item(&grown->extents, at);
    return extent->part && !extent->is_fixed &&
           !statements[origin->statement - 1].varies[origin->number];
}

static void set_part(struct fth_statement *statement, uint32_t number, int64_t part)
{
    if (!statement->parts)
        statement->parts = fth_new(FTH_FORM_NUMBERS, sizeof *statement->parts);
    statement->parts[number] = part;
}

/* The largest extent that an array may get, which is that which it has (H5Screate_simple). */
static void set_limit(const struct fth_form *form, struct fth_statement *statement, uint32_t number,
                      int64_t part)
{
    const struct fth_argument *first = NULL;
    for (size_t i = 0; i < form->row->field_count; i++) {
        const struct fth_argument *argument = &form->arguments[i];
        if (argument->written != FTH_WRITTEN_LIST || argument->null || !form->row->builds ||
            strcmp(form->row->builds, "simple_space") != 0)
            continue;
        uint32_t limit = first ? argument->first + number - first->first : number;
        if (first && statement->first[limit] == statement->first[number])
            set_part(statement, limit, part);
        first = first ? first : argument;
    }
}

static void set_parts(const struct fth_grown_arrays *grown, struct fth_proxy_process *process)
{
    struct fth_statement *statements = process->rest.statements;
    for (uint32_t i = 0; i < fth_keyed_count(&grown->extents); i++) {
        const struct origin *origin = fth_keyed_key(&grown->extents, i);
        const struct extent *extent = fth_keyed_item(&grown->extents, i);
        if (!grows(grown, origin, statements))
            continue;
        struct fth_statement *statement = &statements[origin->statement - 1];
        set_part(statement, origin->number, extent->part);
        set_limit(&process->known[statement->form].form, statement, origin->number, extent->part);
    }
}

static void set_places(const struct fth_grown_arrays *grown, struct fth_statement *statements)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < fth_keyed_count(&grown->places); i++) {
            const struct place *place = fth_keyed_key(&grown->places, i);
            struct fth_statement *statement = &statements[place->statement - 1];
            bool does = grows(grown, &place->origin, statements);
            if (!pass && does)
                statement->grown_places |= 1u << place->dimension;
            if (pass && !does)
                statement->grown_places &= ~(1u << place->dimension);
        }
}

void fth_grown_arrays_close(struct fth_grown_arrays *grown, struct fth_proxy_process *process)
{
    if (!grown)
        return;
    if (process->rest.symbols.count) {
        set_parts(grown, process);
        set_places(grown, process->rest.statements);
    }
    fth_keyed_free(&grown->spaces);
    fth_keyed_free(&grown->arrays);
    fth_keyed_free(&grown->dimensions);
    fth_keyed_free(&grown->extents);
    fth_keyed_free(&grown->places);
    free(grown);
}

/* ---- of all ranks ---- */

static void put_key(const struct fth_proxy_process *process, const struct fth_statement *statement,
                    uint32_t number, struct fth_bytes *key)
{
    size_t length;
    const uint8_t *form = fth_interned(&process->forms, statement->form, &length);
    key->length = 0;
    fth_bytes_varint(key, number);
    fth_bytes_put(key, &statement->first[number], sizeof *statement->first);
    fth_bytes_put(key, form, length);
}

/* Is there an extent that only some ranks let grow? `parts` has those that grow; is_over: all. */
static bool differs(struct fth_proxy_process *process, struct fth_keyed *parts, bool is_over)
{
    struct fth_bytes key = {0};
    bool does = false;
    for (uint32_t i = 0; i < process->rest.symbols.count; i++) {
        const struct fth_statement *statement = &process->rest.statements[i];
        uint32_t count = process->known[statement->form].form.number_count;
        for (uint32_t k = 0; k < count && (statement->parts || is_over); k++) {
            int64_t part = statement->parts ? statement->parts[k] : 0;
            uint32_t at;
            put_key(process, statement, k, &key);
            if (!is_over && part)
                *(int64_t *)fth_keyed_get(parts, key.data, key.length) = part;
            does |= is_over && fth_keyed_number(parts, key.data, key.length, &at) &&
                    *(int64_t *)fth_keyed_item(parts, at) != part;
        }
    }
    fth_bytes_free(&key);
    return does;
}

void fth_grown_arrays_agree(struct fth_proxy_process *processes, size_t count)
{
    struct fth_keyed parts = {.size = sizeof(int64_t)};
    bool does = false;
    for (size_t i = 0; i < count; i++)
        differs(&processes[i], &parts, false);
    for (size_t i = 0; i < count && fth_keyed_count(&parts); i++)
        does |= differs(&processes[i], &parts, true);
    for (size_t i = 0; i < count && does; i++)
        for (uint32_t k = 0; k < processes[i].rest.symbols.count; k++) {
            struct fth_statement *statement = &processes[i].rest.statements[k];
            free(statement->parts);
            statement->parts = NULL;
            statement->grown_places = 0;
        }
    fth_keyed_free(&parts);
}
