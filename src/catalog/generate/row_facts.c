/* What wrappers have to know of rows beyond what stands in them: how their handles are reached,
 * which layers and files calls inside them are about, what of them may leave signatures. */
#include "catalog/generate/generate.h"

#include "base/hash.h"

#include <string.h>

const struct fth_library *bound_library(const struct fth_catalog *catalog,
                                        const struct fth_row *row)
{
    for (size_t i = 0; i < catalog->library_count; i++)
        if (strcmp(catalog->libraries[i].name, row->library) == 0)
            return &catalog->libraries[i];
    return NULL;
}

/* ---- handles ---- */

bool is_of_mpi(const struct fth_row *row)
{
    return strcmp(row->library, "mpi") == 0;
}

enum handle_form form_of(const struct fth_catalog *catalog, const struct fth_row *row,
                         const struct fth_field *field)
{
    if (fth_field_is_descriptor(catalog, field))
        return FORM_DESCRIPTOR;
    if (strstr(field->type, "FILE"))
        return FORM_STREAM;
    if (strstr(field->type, "DIR"))
        return FORM_DIRECTORY;
    return is_of_mpi(row) || strncmp(field->type, "MPI_", 4) == 0 ? FORM_FOREIGN : FORM_LIBRARY;
}

int ordinal_of(const struct fth_catalog *catalog, int class_index)
{
    int ordinal = 0;
    if (catalog->classes[class_index].form != FTH_CLASS_FILE)
        return -1;
    for (int i = 0; i < class_index; i++)
        ordinal += catalog->classes[i].form == FTH_CLASS_FILE;
    return ordinal;
}

/* ---- contexts ---- */

/* The bit of a layer, in order of rows; 0: there are too many. */
unsigned layer_bit(const struct fth_catalog *catalog, const char *layer)
{
    const char *layers[MOST_LAYERS];
    unsigned count = 0, i = 0;
    for (size_t row = 0; row < catalog->row_count; row++) {
        for (i = 0; i < count && strcmp(layers[i], catalog->rows[row].layer) != 0; i++)
            ;
        if (i == MOST_LAYERS)
            return 0;
        if (i == count)
            layers[count++] = catalog->rows[row].layer;
        if (strcmp(layers[i], layer) == 0)
            return 1u << i;
    }
    return 0;
}

bool layer_is(const struct fth_catalog *catalog, const struct fth_row *row, unsigned is)
{
    const struct fth_layer *layer = fth_catalog_layer(catalog, row->layer);
    return layer && layer->is & is;
}

unsigned files_of_context(const struct fth_catalog *catalog, const struct fth_row *row)
{
    const struct fth_layer *layer = fth_catalog_layer(catalog, row->layer);
    unsigned covers = fth_row_covers(catalog, row, layer ? layer->is : 0);
    return (covers & FTH_COVERS_FILES ? FTH_CONTEXT_FILE : 0) |
           (covers & FTH_COVERS_BYTES ? FTH_CONTEXT_UNBUFFERED : 0);
}

/* ---- values ---- */

static bool can_be_literal(enum fth_value_part part)
{
    return part != FTH_PART_TEXT && part != FTH_PART_TEXTS && part != FTH_PART_LIST;
}

static bool keeps_text(const struct fth_value_plan *plan, int count)
{
    for (int i = 0; i < count; i++)
        if (plan[i].part == FTH_PART_TEXT)
            return true;
    return false;
}

unsigned leaving_values(const struct fth_catalog *catalog, const struct fth_row *row, bool as_steps)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    unsigned mask = 0;
    int count = fth_plan_values(catalog, row, plan);
    bool is_note = layer_is(catalog, row, FTH_LAYER_NOTES);
    /* A note that binds says itself which slot: readers that start in the middle compose notes
     * without looking at literals. */
    if (is_note && (as_steps || keeps_text(plan, count)))
        return 0;
    if (as_steps)
        return fth_plan_steps(catalog, row, plan, count);
    for (int i = 0; i < count; i++)
        if (can_be_literal(plan[i].part))
            mask |= 1u << i;
    return mask;
}

uint64_t hash_catalog(const struct fth_catalog *catalog)
{
    uint64_t hash = FTH_HASH_START;
    for (size_t i = 0; i < catalog->row_count; i++)
        hash = fth_hash_words(hash, catalog->rows[i].text);
    return hash;
}

/* Does it make or give up handles that have a path or a name? */
bool binds(const struct fth_catalog *catalog, const struct fth_row *row)
{
    for (size_t i = 0; i <= row->field_count; i++) {
        const struct fth_field *field = i < row->field_count ? &row->fields[i] : &row->result;
        if ((field->role == FTH_ROLE_NEW || field->role == FTH_ROLE_CLOSE) &&
            catalog->classes[field->class_index].form != FTH_CLASS_ANONYMOUS)
            return true;
    }
    return false;
}

/* Does it move bytes to or from the buffer of a stream of the C library? */
bool moves_stream(const struct fth_catalog *catalog, const struct fth_row *row)
{
    return is_data_call(row) && fth_row_is_buffered(catalog, row) && !bound_library(catalog, row);
}

/* What orders processes, what makes, changes or gives up a handle, and what moves the pointer of a
 * file of MPI is always recorded: later calls cannot be read without it. (Where a descriptor stands
 * can be asked.) */
unsigned watched_as(const struct fth_row *row)
{
    static const char *const kinds[] = {"seek", "stat", "list", "poll"};
    const unsigned needed = FTH_CALL_COLLECTIVE | FTH_CALL_COLLECTIVE_IF_SHARED |
                            FTH_CALL_NONBLOCKING | FTH_CALL_BEGIN | FTH_CALL_END |
                            FTH_CALL_BY_HAND | FTH_CALL_HOOKED | FTH_CALL_NORETURN;
    unsigned as = strcmp(row->kind, "read") == 0    ? FTH_WATCHED_READ
                  : strcmp(row->kind, "write") == 0 ? FTH_WATCHED_WRITE
                                                    : 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        as = strcmp(row->kind, kinds[i]) == 0 ? FTH_WATCHED_OTHER : as;
    bool moves_pointer = is_of_mpi(row) && fth_field_with_role(row, FTH_ROLE_OFFSET) < 0 &&
                         fth_field_with_role(row, FTH_ROLE_OFFSET_VIEW) < 0;
    if (!as || row->flags & needed || row->orders || moves_pointer)
        return 0;
    for (size_t i = 0; i <= row->field_count; i++) {
        const struct fth_field *field = i < row->field_count ? &row->fields[i] : &row->result;
        if (field->role == FTH_ROLE_NEW || field->role == FTH_ROLE_CLOSE)
            return 0;
    }
    return as | (row->result.role == FTH_ROLE_CODE ? FTH_WATCHED_CODE : 0);
}

/* What wrappers call their own variables. */
void rename_parameters(struct fth_catalog *catalog)
{
    static char others[][12] = {"result_", "real_", "call_", "given_", "moved_", "more_"};
    for (size_t i = 0; i < catalog->row_count; i++)
        for (size_t j = 0; j < catalog->rows[i].field_count; j++)
            for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
                struct fth_field *field = &catalog->rows[i].fields[j];
                if (strncmp(field->name, others[k], strlen(others[k]) - 1) == 0 &&
                    strlen(field->name) == strlen(others[k]) - 1)
                    field->name = others[k];
            }
}

bool is_data_call(const struct fth_row *row)
{
    return fth_kind_reads(row->kind) || fth_kind_writes(row->kind);
}
