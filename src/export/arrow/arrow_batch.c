/* Each array or schema owns its children, and frees them when it is released. */
#include "export/arrow/arrow_batch.h"

#include "base/memory.h"

/* ---- schemas ---- */

static const char *format_of(enum fth_batch_type type)
{
    switch (type) {
    case FTH_BATCH_BOOLEAN:
        return "b";
    case FTH_BATCH_INT32:
        return "i";
    case FTH_BATCH_INT64:
        return "l";
    case FTH_BATCH_DOUBLE:
        return "g";
    case FTH_BATCH_TEXT:
        break;
    }
    return "i"; /* the numbers of a dictionary */
}

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    free(schema->dictionary);
    free(schema->children);
    free(schema->private_data); /* the metadata */
    schema->release = NULL;
}

/* One pair: the number of pairs, then length and bytes of key and value, in the machine's order. */
static char *metadata_of(const char *unit)
{
    static const char key[] = "unit";
    int32_t numbers[] = {1, sizeof key - 1}, length = (int32_t)strlen(unit);
    char *made = fth_new(sizeof numbers + sizeof key + sizeof length + (size_t)length, 1),
         *at = made;
    memcpy(at, numbers, sizeof numbers);
    at += sizeof numbers;
    memcpy(at, key, sizeof key - 1);
    at += sizeof key - 1;
    memcpy(at, &length, sizeof length);
    memcpy(at + sizeof length, unit, (size_t)length);
    return made;
}

static struct ArrowSchema *schema_of(const struct fth_batch_column *column)
{
    struct ArrowSchema *schema = fth_new(1, sizeof *schema);
    *schema = (struct ArrowSchema){.format = format_of(column->type),
                                   .name = column->name,
                                   .flags = column->optional ? ARROW_FLAG_NULLABLE : 0,
                                   .release = release_schema};
    if (column->unit)
        schema->metadata = schema->private_data = metadata_of(column->unit);
    if (column->type == FTH_BATCH_TEXT) {
        schema->dictionary = fth_new(1, sizeof *schema);
        *schema->dictionary =
            (struct ArrowSchema){.format = "u", .name = "", .release = release_schema};
    }
    return schema;
}

void fth_arrow_schema(struct ArrowSchema *out, const struct fth_batch_column *columns, size_t count)
{
    *out = (struct ArrowSchema){.format = "+s",
                                .name = "",
                                .n_children = (int64_t)count,
                                .children = fth_new(count, sizeof *out->children),
                                .release = release_schema};
    for (size_t i = 0; i < count; i++)
        out->children[i] = schema_of(&columns[i]);
}

/* ---- arrays ---- */

enum { VALIDITY, VALUES, OFFSETS = 1, BYTES = 2, MOST_BUFFERS = 3 };

static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    free(array->dictionary);
    free(array->children);
    for (int64_t i = 0; i < array->n_buffers; i++)
        free((void *)(uintptr_t)array->buffers[i]);
    free(array->buffers);
    array->release = NULL;
}

static struct ArrowArray *new_array(size_t length, size_t nulls, int64_t buffers)
{
    struct ArrowArray *array = fth_new(1, sizeof *array);
    *array = (struct ArrowArray){.length = (int64_t)length,
                                 .null_count = (int64_t)nulls,
                                 .n_buffers = buffers,
                                 .buffers = fth_new(MOST_BUFFERS, sizeof *array->buffers),
                                 .release = release_array};
    return array;
}

static uint8_t *bits_of(const struct fth_batch_cells *cells, size_t rows)
{
    uint8_t *bits = fth_new(rows / 8 + 1, 1);
    for (uint32_t i = 0; i < cells->count; i++)
        bits[cells->rows[i] / 8] |= (uint8_t)(1 << cells->rows[i] % 8);
    return bits;
}

/* Puts the value of each row; those of null rows are 0. */
#define SPREAD(type)                                                                               \
    do {                                                                                           \
        type *to = fth_new(rows + 1, sizeof *to);                                                  \
        for (uint32_t i = 0; i < cells->count; i++)                                                \
            to[cells->rows[i]] = (type)cells->values[i];                                           \
        return to;                                                                                 \
    } while (0)

static void *values_of(enum fth_batch_type type, const struct fth_batch_cells *cells, size_t rows)
{
    uint8_t *bits;
    switch (type) {
    case FTH_BATCH_INT64:
    case FTH_BATCH_DOUBLE: /* as bits */
        SPREAD(int64_t);
    case FTH_BATCH_INT32:
    case FTH_BATCH_TEXT:
        SPREAD(int32_t);
    case FTH_BATCH_BOOLEAN:
        break;
    }
    bits = fth_new(rows / 8 + 1, 1);
    for (uint32_t i = 0; i < cells->count; i++)
        bits[cells->rows[i] / 8] |= (uint8_t)((cells->values[i] != 0) << cells->rows[i] % 8);
    return bits;
}

static struct ArrowArray *dictionary_of(const struct fth_intern *texts)
{
    struct ArrowArray *array = new_array(texts->count, 0, MOST_BUFFERS);
    int32_t *offsets = fth_new((size_t)texts->count + 1, sizeof *offsets);
    for (uint32_t i = 0; i < texts->count; i++)
        offsets[i + 1] = (int32_t)texts->start[i + 1];
    char *bytes = fth_new(texts->store.length + 1, 1);
    if (texts->store.length)
        memcpy(bytes, texts->store.data, texts->store.length);
    array->buffers[OFFSETS] = offsets;
    array->buffers[BYTES] = bytes;
    return array;
}

static struct ArrowArray *array_of(const struct fth_batch *batch, size_t column)
{
    const struct fth_batch_cells *cells = &batch->cells[column];
    enum fth_batch_type type = batch->columns[column].type;
    size_t nulls = batch->rows - cells->count;
    struct ArrowArray *array = new_array(batch->rows, nulls, 2);
    if (nulls)
        array->buffers[VALIDITY] = bits_of(cells, batch->rows);
    array->buffers[VALUES] = values_of(type, cells, batch->rows);
    if (type == FTH_BATCH_TEXT)
        array->dictionary = dictionary_of(&cells->texts);
    return array;
}

void fth_arrow_array(struct ArrowArray *out, const struct fth_batch *batch)
{
    struct ArrowArray *whole = new_array(batch->rows, 0, 1);
    *out = *whole;
    free(whole);
    out->n_children = (int64_t)batch->column_count;
    out->children = fth_new(batch->column_count, sizeof *out->children);
    for (size_t i = 0; i < batch->column_count; i++)
        out->children[i] = array_of(batch, i);
}
