/* From tables to a catalogue. */
#include "catalog/packed.h"

#include "base/memory.h"
#include "catalog/store.h"

#include <stdlib.h>
#include <string.h>

static char *word(const struct fth_packed_catalog *from, uint32_t place)
{
    return place == FTH_PACKED_NULL ? NULL : (char *)(uintptr_t)(from->words + place);
}

static struct fth_field unpack_field(const struct fth_packed_catalog *from,
                                     const struct fth_packed_field *field)
{
    return (struct fth_field){
        .type = word(from, field->type),
        .name = word(from, field->name),
        .role_words = word(from, field->role_words),
        .role = field->role,
        .array = field->array,
        .optional = field->optional,
        .class_index = field->class_index,
        .flags_index = field->flags_index,
        .length_field = field->length_field,
        .length = field->length,
        .at_field = field->at_field,
        .in_field = -1,
        .name_field = -1,
    };
}

static struct fth_row unpack_row(const struct fth_packed_catalog *from,
                                 const struct fth_packed_row *row, struct fth_field *fields)
{
    return (struct fth_row){
        .id = row - from->rows,
        .text = word(from, row->text),
        .library = word(from, row->library),
        .layer = word(from, row->layer),
        .kind = word(from, row->kind),
        .flags = row->flags,
        .via = word(from, row->via),
        .name = word(from, row->name),
        .field_count = row->field_count,
        .fields = fields + row->first_field,
        .result = fields[row->first_field + row->field_count],
        .file = word(from, row->file),
        .line = row->line,
    };
}

void fth_catalog_unpack(struct fth_catalog *to, const struct fth_packed_catalog *from)
{
    struct fth_field *fields = fth_new(from->field_count, sizeof *fields);
    struct fth_flag *entries = fth_new(from->entry_count, sizeof *entries);
    *to = (struct fth_catalog){
        .class_count = from->class_count,
        .flags_count = from->flags_count,
        .row_count = from->row_count,
        .classes = fth_new(from->class_count, sizeof *to->classes),
        .flags = fth_new(from->flags_count, sizeof *to->flags),
        .rows = fth_new(from->row_count, sizeof *to->rows),
    };
    for (size_t i = 0; i < from->class_count; i++)
        to->classes[i] = (struct fth_class){.name = word(from, from->classes[i].name),
                                            .form = from->classes[i].form,
                                            .buffered = from->classes[i].buffered};
    for (size_t i = 0; i < from->entry_count; i++)
        entries[i] = (struct fth_flag){from->entries[i].value, word(from, from->entries[i].name)};
    for (size_t i = 0; i < from->flags_count; i++)
        to->flags[i] = (struct fth_flags){.name = word(from, from->flags[i].name),
                                          .count = from->flags[i].count,
                                          .entries = entries + from->flags[i].first};
    for (size_t i = 0; i < from->field_count; i++)
        fields[i] = unpack_field(from, &from->fields[i]);
    for (size_t i = 0; i < from->row_count; i++)
        to->rows[i] = unpack_row(from, &from->rows[i], fields);
}

/* A copy of an array with as much room as fth_grown takes for granted. */
static void *copy_to_grow(const void *items, size_t count, size_t item_bytes)
{
    size_t room = 1;
    while (room < count)
        room *= 2;
    void *copy = reallocarray(NULL, room, item_bytes);
    if (copy)
        memcpy(copy, items, count * item_bytes);
    return copy;
}

static bool add_names(struct fth_catalog *catalog)
{
    struct fth_catalog_store *store = catalog->store;
    bool added = true;
    for (size_t i = 0; i < catalog->class_count; i++)
        added = added && fth_names_add(&store->classes, catalog->classes[i].name, i);
    for (size_t i = 0; i < catalog->flags_count; i++)
        added = added && fth_names_add(&store->flags, catalog->flags[i].name, i);
    for (size_t i = 0; i < catalog->row_count; i++)
        added = added && fth_names_add(&store->rows, catalog->rows[i].name, i);
    return added;
}

/* Fields and entries die with the catalogue. */
static bool move_to_store(struct fth_catalog *catalog, const struct fth_packed_catalog *from)
{
    struct fth_field *fields = catalog->rows[0].fields;
    struct fth_flag *entries = catalog->flags[0].entries;
    struct fth_field *kept_fields =
        fth_store_take(catalog->store, from->field_count * sizeof *fields);
    struct fth_flag *kept_entries =
        fth_store_take(catalog->store, from->entry_count * sizeof *entries);
    if (!kept_fields || !kept_entries)
        return false;
    memcpy(kept_fields, fields, from->field_count * sizeof *fields);
    memcpy(kept_entries, entries, from->entry_count * sizeof *entries);
    for (size_t i = 0; i < catalog->row_count; i++)
        catalog->rows[i].fields = kept_fields + (catalog->rows[i].fields - fields);
    for (size_t i = 0; i < catalog->flags_count; i++)
        catalog->flags[i].entries = kept_entries + (catalog->flags[i].entries - entries);
    free(fields);
    free(entries);
    return true;
}

/* The names of the layers: what is said of them is in a table of its own. */
static bool add_layers(struct fth_catalog *catalog)
{
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        if (fth_catalog_layer(catalog, row->layer))
            continue;
        struct fth_layer *layers = fth_grown(catalog->layers, catalog->layer_count, sizeof *layers);
        if (!layers)
            return false;
        catalog->layers = layers;
        layers[catalog->layer_count++] =
            (struct fth_layer){.name = row->layer, .library = row->library};
    }
    catalog->given_layers = catalog->layer_count;
    return true;
}

int fth_catalog_begin_with(struct fth_catalog *to, const struct fth_packed_catalog *from)
{
    struct fth_catalog whole;
    fth_catalog_unpack(&whole, from);
    *to = whole;
    to->store = calloc(1, sizeof *to->store);
    if (!to->store || !move_to_store(to, from)) {
        free(to->store);
        return -1;
    }
    to->classes = copy_to_grow(whole.classes, whole.class_count, sizeof *whole.classes);
    to->flags = copy_to_grow(to->flags, whole.flags_count, sizeof *whole.flags);
    to->rows = copy_to_grow(to->rows, whole.row_count, sizeof *whole.rows);
    to->given_classes = whole.class_count;
    to->given_rows = whole.row_count;
    free(whole.classes);
    free(whole.flags);
    free(whole.rows);
    bool complete = to->classes && to->flags && to->rows && add_names(to) && add_layers(to);
    if (!complete)
        fth_catalog_free(to);
    return complete ? 0 : -1;
}
