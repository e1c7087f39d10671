/* The values of a row: from roles to the integers that a call leaves in the trace. */
#include "catalog/values.h"

#include <string.h>

struct planner {
    struct fth_value_plan *plan;
    int count;
};

static void add(struct planner *planner, int field, enum fth_value_part part)
{
    if (planner->count >= 0 && planner->count < FTH_MOST_VALUES)
        planner->plan[planner->count++] = (struct fth_value_plan){field, part};
    else
        planner->count = -1;
}

bool fth_field_is_pointer(const struct fth_field *field)
{
    return field->array || strpbrk(field->type, "*(") != NULL;
}

bool fth_field_has_length(const struct fth_field *field)
{
    return field->length_field >= 0 || field->length >= 0;
}

bool fth_field_is_descriptor(const struct fth_catalog *catalog, const struct fth_field *field)
{
    return strcmp(catalog->classes[field->class_index].name, "fd") == 0 &&
           strncmp(field->type, "int", 3) == 0;
}

static void add_parameter(const struct fth_catalog *catalog, const struct fth_row *row, int index,
                          struct planner *planner)
{
    const struct fth_field *field = &row->fields[index];
    switch (field->role) {
    case FTH_ROLE_USE:
    case FTH_ROLE_CLOSE:
        add(planner, index, fth_field_has_length(field) ? FTH_PART_LIST : FTH_PART_SLOT);
        if (field->role == FTH_ROLE_CLOSE && fth_field_has_length(field))
            add(planner, index, FTH_PART_NULLS);
        break;
    case FTH_ROLE_NEW:
        add(planner, index, fth_field_has_length(field) ? FTH_PART_LIST : FTH_PART_SLOT);
        if (!fth_field_has_length(field) && fth_field_is_descriptor(catalog, field))
            add(planner, index, FTH_PART_NUMBER);
        break;
    case FTH_ROLE_PATH:
    case FTH_ROLE_STRING:
        add(planner, index, FTH_PART_TEXT);
        break;
    case FTH_ROLE_DATA:
        if (fth_field_is_pointer(field))
            add(planner, index, FTH_PART_INTEGER);
        break;
    case FTH_ROLE_STRINGS:
        add(planner, index, FTH_PART_TEXTS);
        break;
    case FTH_ROLE_COUNT:
        add(planner, index, FTH_PART_INTEGER);
        add(planner, index, FTH_PART_ELEMENT);
        break;
    case FTH_ROLE_OFFSET:
        add(planner, index, FTH_PART_OFFSET);
        break;
    case FTH_ROLE_OFFSET_VIEW:
        add(planner, index, FTH_PART_VIEW);
        break;
    case FTH_ROLE_DISTANCE:
        add(planner, index, FTH_PART_DISTANCE);
        break;
    case FTH_ROLE_IN:
    case FTH_ROLE_ARGUMENT:
    case FTH_ROLE_AIO_LIST:
        add(planner, index, FTH_PART_LIST);
        break;
    case FTH_ROLE_OUT:
        add(planner, index, fth_field_has_length(field) ? FTH_PART_LIST : FTH_PART_INTEGER);
        break;
    case FTH_ROLE_STATUS:
        if (fth_field_has_length(field)) {
            add(planner, index, FTH_PART_LIST);
        } else if (fth_kind_reads(row->kind) || fth_kind_writes(row->kind)) {
            add(planner, index, FTH_PART_MOVED);
        } else {
            add(planner, index, FTH_PART_SOURCE);
            add(planner, index, FTH_PART_TAG);
        }
        break;
    case FTH_ROLE_AIO:
        add(planner, index, FTH_PART_SLOT);
        add(planner, index, FTH_PART_OFFSET);
        add(planner, index, FTH_PART_INTEGER);
        break;
    case FTH_ROLE_NONE:
        break;
    default:
        add(planner, index, FTH_PART_INTEGER);
    }
}

static void add_result(const struct fth_catalog *catalog, const struct fth_row *row,
                       struct planner *planner)
{
    switch (row->result.role) {
    case FTH_ROLE_NONE:
        break;
    case FTH_ROLE_MOVED:
    case FTH_ROLE_BYTE:
    case FTH_ROLE_TEXT:
    case FTH_ROLE_LINE:
    case FTH_ROLE_RESULT_ITEMS:
        add(planner, FTH_RESULT, FTH_PART_MOVED);
        break;
    case FTH_ROLE_POSITION:
        add(planner, FTH_RESULT, FTH_PART_POSITION);
        break;
    case FTH_ROLE_NEW:
        add(planner, FTH_RESULT, FTH_PART_SLOT);
        if (fth_field_is_descriptor(catalog, &row->result))
            add(planner, FTH_RESULT, FTH_PART_NUMBER);
        break;
    default:
        add(planner, FTH_RESULT, FTH_PART_INTEGER);
    }
}

int fth_plan_values(const struct fth_catalog *catalog, const struct fth_row *row,
                    struct fth_value_plan plan[FTH_MOST_VALUES])
{
    struct planner planner = {plan, 0};
    if (row->flags & (FTH_CALL_ON_STDIN | FTH_CALL_ON_STDOUT))
        add(&planner, FTH_ON_STREAM, FTH_PART_SLOT);
    for (size_t i = 0; i < row->field_count; i++)
        add_parameter(catalog, row, (int)i, &planner);
    add_result(catalog, row, &planner);
    return planner.count;
}

static int class_of_name(const struct fth_catalog *catalog, const char *name)
{
    for (size_t i = 0; i < catalog->class_count; i++)
        if (strcmp(catalog->classes[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int slot_of_field(const struct fth_value_plan *plan, int count, int field)
{
    for (int i = 0; i < count; i++)
        if (plan[i].field == field && plan[i].part == FTH_PART_SLOT)
            return i;
    return -1;
}

int fth_plan_handle(const struct fth_catalog *catalog, const struct fth_row *row,
                    const struct fth_value_plan *plan, int count, int *handle_class)
{
    int at = slot_of_field(plan, count, FTH_ON_STREAM);
    *handle_class = class_of_name(catalog, "stream");
    for (size_t i = 0; at < 0 && i < row->field_count && row->fields[i].role != FTH_ROLE_PATH;
         i++) {
        const struct fth_field *field = &row->fields[i];
        bool file = field->class_index >= 0 &&
                    catalog->classes[field->class_index].form == FTH_CLASS_FILE &&
                    field->role != FTH_ROLE_NEW;
        if (!file && field->role != FTH_ROLE_AIO)
            continue;
        at = slot_of_field(plan, count, (int)i);
        *handle_class = file ? field->class_index : class_of_name(catalog, "fd");
    }
    return at;
}

static bool goes_by_steps(enum fth_value_part part)
{
    return part == FTH_PART_INTEGER || part == FTH_PART_SLOT || part == FTH_PART_OFFSET ||
           part == FTH_PART_VIEW || part == FTH_PART_DISTANCE || part == FTH_PART_SOURCE ||
           part == FTH_PART_TAG || part == FTH_PART_MOVED || part == FTH_PART_POSITION;
}

uint32_t fth_plan_steps(const struct fth_catalog *catalog, const struct fth_row *row,
                        const struct fth_value_plan *plan, int count)
{
    int handle_class;
    int handle = fth_plan_handle(catalog, row, plan, count, &handle_class);
    uint32_t steps = 0;
    for (int i = 0; i < count; i++)
        if (goes_by_steps(plan[i].part) && i != handle)
            steps |= 1u << i;
    return steps;
}

bool fth_kind_reads(const char *kind)
{
    return strcmp(kind, "read") == 0;
}

bool fth_kind_writes(const char *kind)
{
    return strcmp(kind, "write") == 0;
}

bool fth_kind_is_about_files(const char *kind)
{
    static const char *const kinds[] = {
        "open", "close",   "dup",  "read", "write", "seek",   "sync",       "map",  "truncate",
        "lock", "control", "poll", "stat", "name",  "delete", "permission", "list", "view"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return true;
    return false;
}

int fth_field_with_role(const struct fth_row *row, enum fth_role role)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == role)
            return (int)i;
    return -1;
}

int fth_field_with_file(const struct fth_catalog *catalog, const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if ((field->role == FTH_ROLE_USE || field->role == FTH_ROLE_CLOSE ||
             field->role == FTH_ROLE_NEW) &&
            !fth_field_has_length(field) &&
            catalog->classes[field->class_index].form == FTH_CLASS_FILE)
            return (int)i;
    }
    return -1;
}

static bool is_buffered(const struct fth_catalog *catalog, const struct fth_field *field)
{
    return field->class_index >= 0 && catalog->classes[field->class_index].buffered;
}

static bool is_of_probes(const struct fth_catalog *catalog, const struct fth_row *row)
{
    for (size_t i = 0; i < catalog->layer_count; i++)
        if (catalog->layers[i].is & FTH_LAYER_PROBES &&
            strcmp(catalog->layers[i].name, row->layer) == 0)
            return true;
    return false;
}

bool fth_row_is_buffered(const struct fth_catalog *catalog, const struct fth_row *row)
{
    int field = fth_field_with_file(catalog, row);
    if (row->flags & (FTH_CALL_ON_STDIN | FTH_CALL_ON_STDOUT) || is_of_probes(catalog, row))
        return true;
    return is_buffered(catalog, field >= 0 ? &row->fields[field] : &row->result);
}
