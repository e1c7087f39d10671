/* From rows to recipes: see the header. */
#include "repeat/script/recipes.h"

#include "base/memory.h"
#include "catalog/consistency_meaning.h"
#include "model/reading/trace_functions.h"
#include "repeat/what/known_row.h"
#include "repeat/what/ways_of_hdf5.h"
#include "trace/record/builtin.h"

#include <dlfcn.h>
#include <string.h>

static bool is_pointer(const struct fth_field *field)
{
    return field->array || strchr(field->type, '*');
}

unsigned fth_recipe_class(const struct fth_recipes *recipes, const struct fth_field *field)
{
    if (field->class_index < 0)
        return 0;
    const char *name = fth_builtin_catalog()->classes[field->class_index].name;
    for (unsigned i = 1; i < FTH_SCRIPT_CLASSES && recipes->classes[i]; i++)
        if (!strcmp(recipes->classes[i], name))
            return i;
    return 0;
}

static unsigned class_named(struct fth_recipes *recipes, const char *name)
{
    unsigned i = 1;
    while (i < FTH_SCRIPT_CLASSES - 1 && recipes->classes[i] &&
           strcmp(recipes->classes[i], name) != 0)
        i++;
    recipes->classes[i] = name;
    return i;
}

/* Bytes of an integer that a pointer of this type leads to. */
static uint8_t width_of(const struct fth_field *field)
{
    static const char *const wide[] = {"MPI_Aint", "MPI_Count", "MPI_Offset", "size_t",
                                       "off",      "long",      "int64"};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (strstr(field->type, wide[i]))
            return 8;
    return 4;
}

static enum fth_script_form form_of_handle(const struct fth_recipes *recipes,
                                           const struct fth_field *field, unsigned handle_class)
{
    if (field->array || field->length_field >= 0 || field->length > 0)
        return FTH_SCRIPT_CELLS;
    bool by_value = fth_recipe_is_libc(recipes, handle_class) || !is_pointer(field);
    return by_value ? FTH_SCRIPT_HANDLE : FTH_SCRIPT_CELL;
}

static enum fth_script_form form_of_hdf5(const struct fth_row *row, const struct fth_field *field)
{
    bool is_constant = !strncmp(field->type, "const", 5);
    switch (fth_repeat_unkept_of(row, (size_t)(field - row->fields))) {
    case FTH_REPEAT_NULL:
        return is_constant ? FTH_SCRIPT_TEXT : FTH_SCRIPT_NULL;
    case FTH_REPEAT_RESULT:
        return FTH_SCRIPT_TAKEN;
    case FTH_REPEAT_DATA:
        return is_constant ? FTH_SCRIPT_GIVEN : FTH_SCRIPT_TAKEN;
    case FTH_REPEAT_VALUE:
        return FTH_SCRIPT_GIVEN;
    case FTH_REPEAT_ORDINAL:
        return FTH_SCRIPT_NUMBERS;
    case FTH_REPEAT_SHARE:
        return FTH_SCRIPT_REAL;
    case FTH_REPEAT_CALLBACK:
        return FTH_SCRIPT_CALLBACK;
    case FTH_REPEAT_MISSING:
        break;
    }
    return FTH_SCRIPT_NULL;
}

bool fth_recipe_is_counts(const struct fth_row *row, size_t number)
{
    const struct fth_field *field = &row->fields[number];
    return !strcmp(row->kind, "collective") && field->role == FTH_ROLE_IN && field->length == 0;
}

bool fth_recipe_is_displacements(const struct fth_row *row, size_t number)
{
    return row->fields[number].array && row->fields[number].role == FTH_ROLE_NONE && number &&
           fth_recipe_is_counts(row, number - 1);
}

static enum fth_script_form form_of_unkept(const struct fth_row *row, const struct fth_field *field)
{
    if (fth_layer_is(row->layer, FTH_LAYER_HDF5))
        return form_of_hdf5(row, field);
    if (!is_pointer(field))
        return FTH_SCRIPT_INTEGER;
    if (fth_recipe_is_displacements(row, (size_t)(field - row->fields)))
        return FTH_SCRIPT_NUMBERS;
    /* times of a file: NULL is now */
    if (!strcmp(row->kind, "init") || !strcmp(row->kind, "control") ||
        (!strcmp(row->kind, "permission") && strstr(field->type, "struct")))
        return FTH_SCRIPT_NULL;
    return !strncmp(field->type, "const", 5) ? FTH_SCRIPT_GIVEN : FTH_SCRIPT_TAKEN;
}

static struct fth_script_parameter parameter_of(const struct fth_recipes *recipes,
                                                const struct fth_row *row,
                                                const struct fth_field *field)
{
    struct fth_script_parameter parameter = {.width = width_of(field)};
    unsigned handle_class = fth_recipe_class(recipes, field);
    parameter.handle_class = (uint8_t)handle_class;
    bool is_array = field->array || field->length_field >= 0 || field->length > 1;
    switch (field->role) {
    case FTH_ROLE_USE:
    case FTH_ROLE_CLOSE:
    case FTH_ROLE_NEW:
        parameter.form = (uint8_t)form_of_handle(recipes, field, handle_class);
        parameter.width = handle_class == recipes->hid  ? sizeof(int64_t)
                          : handle_class == recipes->fd ? sizeof(int)
                                                        : 0;
        parameter.gives_up = field->role == FTH_ROLE_CLOSE &&
                             (handle_class == recipes->stream || handle_class == recipes->dir);
        break;
    case FTH_ROLE_PATH:
    case FTH_ROLE_STRING:
        parameter.form = FTH_SCRIPT_TEXT;
        break;
    case FTH_ROLE_DATA:
        parameter.form = is_pointer(field) ? FTH_SCRIPT_WORDS : FTH_SCRIPT_INTEGER;
        break;
    case FTH_ROLE_IN:
        parameter.form = is_array || field->length == 0 ? FTH_SCRIPT_NUMBERS : FTH_SCRIPT_PLACE;
        break;
    case FTH_ROLE_OUT:
        parameter.form = is_array || field->length == 0 ? FTH_SCRIPT_TAKEN : FTH_SCRIPT_PLACE;
        break;
    case FTH_ROLE_IOV:
        parameter.form = FTH_SCRIPT_VECTOR;
        break;
    case FTH_ROLE_STATUS:
        parameter.form = FTH_SCRIPT_TAKEN;
        break;
    case FTH_ROLE_ARGUMENT:
        parameter.form = FTH_SCRIPT_EITHER;
        break;
    case FTH_ROLE_NONE:
        parameter.form = (uint8_t)form_of_unkept(row, field);
        break;
    default:
        parameter.form = FTH_SCRIPT_INTEGER;
    }
    return parameter;
}

static enum fth_script_result result_of(const struct fth_row *row)
{
    switch (row->result.role) {
    case FTH_ROLE_MOVED: /* HDF5 returns only whether it did */
        return fth_layer_is(row->layer, FTH_LAYER_HDF5) ? FTH_SCRIPT_STATUS : FTH_SCRIPT_MOVED;
    case FTH_ROLE_RESULT_ITEMS:
        return FTH_SCRIPT_ITEMS;
    case FTH_ROLE_RESULT_STATUS:
    case FTH_ROLE_POSITION:
        return FTH_SCRIPT_STATUS;
    case FTH_ROLE_CODE:
        return FTH_SCRIPT_CODE;
    case FTH_ROLE_POINTER:
        return FTH_SCRIPT_POINTER;
    case FTH_ROLE_NEW:
        return strchr(row->result.type, '*') ? FTH_SCRIPT_POINTER : FTH_SCRIPT_STATUS;
    default:
        return FTH_SCRIPT_ANY;
    }
}

static bool is_wide(const char *type)
{
    return strchr(type, '*') || strstr(type, "size_t") || strstr(type, "off") ||
           strstr(type, "long") || strstr(type, "hid_t") || strstr(type, "haddr_t");
}

static void write_recipe(const struct fth_recipes *recipes, struct fth_recipe *recipe)
{
    const struct fth_row *row = recipe->row;
    struct fth_script_function *script = &recipe->script;
    script->result = (uint8_t)result_of(row);
    script->result_class =
        row->result.role == FTH_ROLE_NEW ? (uint8_t)fth_recipe_class(recipes, &row->result) : 0;
    script->narrow = !is_wide(row->result.type);
    script->reads = !strcmp(row->kind, "read");
    script->writes = !strcmp(row->kind, "write");
    script->is_mpi = fth_layer_is(row->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER);
    script->is_hdf5 = fth_layer_is(row->layer, FTH_LAYER_HDF5);
    script->is_init = script->is_mpi && !strcmp(row->kind, "init");
    script->is_finalize = script->is_mpi && !strcmp(row->kind, "finalize");
    script->parameter_count = (uint8_t)row->field_count;
    for (size_t i = 0; i < row->field_count; i++) {
        script->parameters[i] = parameter_of(recipes, row, &row->fields[i]);
        script->has_real |= script->parameters[i].form == FTH_SCRIPT_REAL;
        if (row->fields[i].role == FTH_ROLE_SIZE)
            script->item_size = (uint8_t)i;
    }
}

/* NULL: it is none of the catalogue's, or has too many arguments for a script. */
static const struct fth_row *row_of(const struct fth_trace *trace,
                                    const struct fth_function *function)
{
    const struct fth_row *row = fth_repeat_known_row(fth_trace_row(trace, function));
    return row && row->field_count <= FTH_SCRIPT_ARGUMENTS ? row : NULL;
}

static int by_function(const void *one, const void *other)
{
    const struct fth_recipe *a = one, *b = other;
    return (a->function > b->function) - (a->function < b->function);
}

struct fth_recipes *fth_recipes_make(const struct fth_trace *trace,
                                     const struct fth_repeat_ways *ways)
{
    struct fth_recipes *recipes = fth_new(1, sizeof *recipes);
    const struct fth_catalog *catalog = fth_builtin_catalog();
    recipes->fd = class_named(recipes, "fd");
    recipes->stream = class_named(recipes, "stream");
    recipes->dir = class_named(recipes, "dir");
    recipes->request = class_named(recipes, "request");
    recipes->comm = class_named(recipes, "comm");
    recipes->datatype = class_named(recipes, "datatype");
    recipes->block = class_named(recipes, "asynchronous operation");
    recipes->mpi_file = class_named(recipes, "mpi_file");
    recipes->hid = class_named(recipes, "hid");
    for (size_t i = 0; i < catalog->class_count && i < 24; i++)
        (void)class_named(recipes, catalog->classes[i].name);
    recipes->count = fth_trace_function_count(trace);
    recipes->recipes = fth_new(recipes->count + 1, sizeof *recipes->recipes);
    for (size_t i = 0; i < recipes->count; i++) {
        struct fth_recipe *recipe = &recipes->recipes[i];
        recipe->function = fth_trace_function(trace, i);
        recipe->row = row_of(trace, recipe->function);
        recipe->way = fth_repeat_way_of(ways, recipe->function);
        recipe->number = (uint16_t)i;
        const struct fth_layer *layer = fth_trace_layer(trace, recipe->function->layer);
        recipe->refills = layer && fth_layer_refills(layer, recipe->function->name);
        recipe->is_step =
            fth_layer_is(recipe->function->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS) &&
            !dlsym(RTLD_DEFAULT, recipe->function->name);
        if (recipe->row)
            write_recipe(recipes, recipe);
    }
    qsort(recipes->recipes, recipes->count, sizeof *recipes->recipes, by_function);
    return recipes;
}

void fth_recipes_free(struct fth_recipes *recipes)
{
    if (recipes)
        free(recipes->recipes);
    free(recipes);
}

struct fth_recipe *fth_recipe_of(const struct fth_recipes *recipes,
                                 const struct fth_function *function)
{
    const struct fth_recipe wanted = {.function = function};
    return bsearch(&wanted, recipes->recipes, recipes->count, sizeof *recipes->recipes,
                   by_function);
}

bool fth_recipe_is_named(const struct fth_recipes *recipes, unsigned handle_class, const char *text)
{
    if (!text || fth_recipe_is_libc(recipes, handle_class))
        return false;
    return handle_class == recipes->hid ? !strncmp(text, "H5T_", 4) || !strncmp(text, "H5P_", 4)
                                        : !strncmp(text, "MPI_", 4);
}
