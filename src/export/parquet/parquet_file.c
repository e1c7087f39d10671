/* Row groups, pages and the footer. */
#include "export/parquet/parquet_file.h"

#include "base/json.h"
#include "base/memory.h"
#include "export/parquet/encodings.h"
#include "export/parquet/thrift.h"
#include "views/output/output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

enum { COMPRESSION = 1 };

/* Numbers of parquet.thrift. */
enum {
    REQUIRED = 0,
    OPTIONAL = 1,
    UTF8 = 0,
    PLAIN = 0,
    RLE = 3,
    DELTA_BINARY_PACKED = 5,
    RLE_DICTIONARY = 8,
    ZSTD_CODEC = 6,
    DATA_PAGE = 0,
    DICTIONARY_PAGE = 2,
};
static const int64_t physical_types[] = {
    [FTH_BATCH_BOOLEAN] = 0, [FTH_BATCH_INT32] = 1, [FTH_BATCH_INT64] = 2,
    [FTH_BATCH_DOUBLE] = 5,  [FTH_BATCH_TEXT] = 6,
};
static const int64_t encodings[] = {
    [FTH_BATCH_BOOLEAN] = PLAIN,
    [FTH_BATCH_INT32] = DELTA_BINARY_PACKED,
    [FTH_BATCH_INT64] = DELTA_BINARY_PACKED,
    [FTH_BATCH_DOUBLE] = PLAIN,
    [FTH_BATCH_TEXT] = RLE_DICTIONARY,
};
static const char magic[4] = {'P', 'A', 'R', '1'};

/* What the footer says of a column of a row group. */
struct chunk {
    int64_t dictionary_at, data_at; /* dictionary_at -1: there is none */
    size_t raw, packed;             /* bytes, with the heads of pages */
};

struct fth_parquet {
    struct fth_batch batch; /* the row group */
    uint64_t all_rows;
    struct fth_output output;
    int64_t written;
    struct fth_bytes page, packed, head, groups; /* groups: RowGroup structures */
    size_t group_count;
    int64_t levels[FTH_BATCH_ROWS]; /* of the rows of a column: 1 if it is there, 0 if it is null */
    ZSTD_CCtx *zstd;
    char *facts, *path;
};

struct fth_batch *fth_parquet_batch(struct fth_parquet *file)
{
    return &file->batch;
}

/* ---- pages ---- */

static void write_bytes(struct fth_parquet *file, const void *data, size_t length)
{
    fth_sink_bytes(&file->output.sink, data, length);
    file->written += (int64_t)length;
}

/* The page in file->page. */
static void write_page(struct fth_parquet *file, struct chunk *chunk, int64_t type, size_t values,
                       int64_t encoding)
{
    struct fth_bytes *packed = &file->packed, *head = &file->head;
    size_t bound = ZSTD_compressBound(file->page.length);
    packed->length = head->length = 0;
    size_t size = ZSTD_compressCCtx(file->zstd, fth_bytes_room(packed, bound), bound,
                                    file->page.data, file->page.length, COMPRESSION);
    if (ZSTD_isError(size))
        fth_out_of_memory();
    struct fth_thrift header = {head, 0};
    fth_thrift_integer(&header, 1, FTH_THRIFT_I32, type);
    fth_thrift_integer(&header, 2, FTH_THRIFT_I32, (int64_t)file->page.length);
    fth_thrift_integer(&header, 3, FTH_THRIFT_I32, (int64_t)size);
    struct fth_thrift of_type = fth_thrift_inner(&header, type == DATA_PAGE ? 5 : 7);
    fth_thrift_integer(&of_type, 1, FTH_THRIFT_I32, (int64_t)values);
    fth_thrift_integer(&of_type, 2, FTH_THRIFT_I32, encoding);
    if (type == DATA_PAGE) {
        fth_thrift_integer(&of_type, 3, FTH_THRIFT_I32, RLE);
        fth_thrift_integer(&of_type, 4, FTH_THRIFT_I32, RLE);
    }
    fth_thrift_end(&of_type);
    fth_thrift_end(&header);
    chunk->raw += head->length + file->page.length;
    chunk->packed += head->length + size;
    write_bytes(file, head->data, head->length);
    write_bytes(file, packed->data, size);
}

static void put_little(struct fth_bytes *to, uint64_t value, unsigned bytes)
{
    uint8_t *room = fth_bytes_room(to, bytes);
    for (unsigned i = 0; i < bytes; i++)
        room[i] = (uint8_t)(value >> 8 * i);
    to->length += bytes;
}

static void write_dictionary(struct fth_parquet *file, const struct fth_batch_cells *cells,
                             struct chunk *chunk)
{
    chunk->dictionary_at = file->written;
    file->page.length = 0;
    for (uint32_t i = 0; i < cells->texts.count; i++) {
        size_t length;
        const uint8_t *text = fth_interned(&cells->texts, i, &length);
        put_little(&file->page, length, 4);
        fth_bytes_put(&file->page, text, length);
    }
    write_page(file, chunk, DICTIONARY_PAGE, cells->texts.count, PLAIN);
}

/* Which rows are null, with their length in front. */
static void put_levels(struct fth_parquet *file, const struct fth_batch_cells *cells)
{
    size_t at = file->page.length;
    put_little(&file->page, 0, 4);
    memset(file->levels, 0, sizeof file->levels);
    for (uint32_t i = 0; i < cells->count; i++)
        file->levels[cells->rows[i]] = 1;
    fth_parquet_put_hybrid(&file->page, file->levels, file->batch.rows, 1);
    size_t length = file->page.length - at - 4;
    for (unsigned i = 0; i < 4; i++)
        file->page.data[at + i] = (uint8_t)(length >> 8 * i);
}

static void put_values(struct fth_bytes *to, enum fth_batch_type type,
                       const struct fth_batch_cells *cells)
{
    unsigned width;
    switch (type) {
    case FTH_BATCH_BOOLEAN:
        fth_parquet_put_bits(to, cells->values, cells->count);
        return;
    case FTH_BATCH_INT32:
    case FTH_BATCH_INT64:
        fth_parquet_put_deltas(to, cells->values, cells->count, type == FTH_BATCH_INT32 ? 32 : 64);
        return;
    case FTH_BATCH_DOUBLE:
        for (size_t i = 0; i < cells->count; i++)
            put_little(to, (uint64_t)cells->values[i], 8);
        return;
    case FTH_BATCH_TEXT:
        width = fth_parquet_width(cells->texts.count ? cells->texts.count - 1 : 0);
        width = width ? width : 1;
        put_little(to, width, 1);
        fth_parquet_put_hybrid(to, cells->values, cells->count, width);
        return;
    }
}

static struct chunk write_column(struct fth_parquet *file, size_t column)
{
    const struct fth_batch_column *of = &file->batch.columns[column];
    const struct fth_batch_cells *cells = &file->batch.cells[column];
    struct chunk chunk = {.dictionary_at = -1};
    if (of->type == FTH_BATCH_TEXT)
        write_dictionary(file, cells, &chunk);
    chunk.data_at = file->written;
    file->page.length = 0;
    if (of->optional)
        put_levels(file, cells);
    put_values(&file->page, of->type, cells);
    write_page(file, &chunk, DATA_PAGE, file->batch.rows, encodings[of->type]);
    return chunk;
}

/* ---- metadata ---- */

static void put_bound(struct fth_thrift *statistics, unsigned field, int64_t value,
                      enum fth_batch_type type)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)value >> 8 * i);
    fth_thrift_binary(statistics, field, bytes, type == FTH_BATCH_INT32 ? 4 : 8);
}

static void describe_statistics(struct fth_thrift *meta, enum fth_batch_type type,
                                const struct fth_batch_cells *cells, size_t rows)
{
    struct fth_thrift statistics = fth_thrift_inner(meta, 12);
    fth_thrift_integer(&statistics, 3, FTH_THRIFT_I64, (int64_t)(rows - cells->count));
    if ((type == FTH_BATCH_INT32 || type == FTH_BATCH_INT64) && cells->count) {
        int64_t least = cells->values[0], most = least;
        for (size_t i = 1; i < cells->count; i++) {
            least = cells->values[i] < least ? cells->values[i] : least;
            most = cells->values[i] > most ? cells->values[i] : most;
        }
        put_bound(&statistics, 5, most, type);
        put_bound(&statistics, 6, least, type);
    }
    fth_thrift_end(&statistics);
}

static void describe_chunk(const struct fth_parquet *file, struct fth_thrift *group, size_t column,
                           const struct chunk *chunk)
{
    const struct fth_batch_column *of = &file->batch.columns[column];
    bool has_dictionary = chunk->dictionary_at >= 0;
    int64_t first = has_dictionary ? chunk->dictionary_at : chunk->data_at;
    struct fth_thrift item = fth_thrift_item(group);
    fth_thrift_integer(&item, 2, FTH_THRIFT_I64, first);
    struct fth_thrift meta = fth_thrift_inner(&item, 3);
    fth_thrift_integer(&meta, 1, FTH_THRIFT_I32, physical_types[of->type]);
    fth_thrift_list(&meta, 2, FTH_THRIFT_I32, has_dictionary ? 3 : 2);
    fth_bytes_signed(meta.to, encodings[of->type]);
    fth_bytes_signed(meta.to, RLE);
    if (has_dictionary)
        fth_bytes_signed(meta.to, PLAIN);
    fth_thrift_list(&meta, 3, FTH_THRIFT_BINARY, 1);
    fth_bytes_text(meta.to, of->name, strlen(of->name));
    fth_thrift_integer(&meta, 4, FTH_THRIFT_I32, ZSTD_CODEC);
    fth_thrift_integer(&meta, 5, FTH_THRIFT_I64, (int64_t)file->batch.rows);
    fth_thrift_integer(&meta, 6, FTH_THRIFT_I64, (int64_t)chunk->raw);
    fth_thrift_integer(&meta, 7, FTH_THRIFT_I64, (int64_t)chunk->packed);
    fth_thrift_integer(&meta, 9, FTH_THRIFT_I64, chunk->data_at);
    if (has_dictionary)
        fth_thrift_integer(&meta, 11, FTH_THRIFT_I64, chunk->dictionary_at);
    describe_statistics(&meta, of->type, &file->batch.cells[column], file->batch.rows);
    fth_thrift_end(&meta);
    fth_thrift_end(&item);
}

static void write_group(struct fth_parquet *file)
{
    struct fth_thrift group = {&file->groups, 0};
    int64_t at = file->written, raw = 0;
    fth_thrift_list(&group, 1, FTH_THRIFT_STRUCT, file->batch.column_count);
    for (size_t column = 0; column < file->batch.column_count; column++) {
        struct chunk chunk = write_column(file, column);
        raw += (int64_t)chunk.raw;
        describe_chunk(file, &group, column, &chunk);
    }
    fth_thrift_integer(&group, 2, FTH_THRIFT_I64, raw);
    fth_thrift_integer(&group, 3, FTH_THRIFT_I64, (int64_t)file->batch.rows);
    fth_thrift_integer(&group, 5, FTH_THRIFT_I64, at);
    fth_thrift_integer(&group, 6, FTH_THRIFT_I64, file->written - at);
    fth_thrift_end(&group);
    file->group_count++;
    file->all_rows += file->batch.rows;
    fth_batch_empty(&file->batch);
}

void fth_parquet_end_row(struct fth_parquet *file)
{
    if (++file->batch.rows == FTH_BATCH_ROWS)
        write_group(file);
}

uint64_t fth_parquet_rows(const struct fth_parquet *file)
{
    return file->all_rows + file->batch.rows;
}

static void put_schema(const struct fth_parquet *file, struct fth_thrift *meta)
{
    fth_thrift_list(meta, 2, FTH_THRIFT_STRUCT, file->batch.column_count + 1);
    struct fth_thrift root = fth_thrift_item(meta);
    fth_thrift_text(&root, 4, "fathom");
    fth_thrift_integer(&root, 5, FTH_THRIFT_I32, (int64_t)file->batch.column_count);
    fth_thrift_end(&root);
    for (size_t i = 0; i < file->batch.column_count; i++) {
        const struct fth_batch_column *column = &file->batch.columns[i];
        struct fth_thrift item = fth_thrift_item(meta);
        fth_thrift_integer(&item, 1, FTH_THRIFT_I32, physical_types[column->type]);
        fth_thrift_integer(&item, 3, FTH_THRIFT_I32, column->optional ? OPTIONAL : REQUIRED);
        fth_thrift_text(&item, 4, column->name);
        if (column->type == FTH_BATCH_TEXT) {
            fth_thrift_integer(&item, 6, FTH_THRIFT_I32, UTF8);
            struct fth_thrift logical = fth_thrift_inner(&item, 10);
            struct fth_thrift text = fth_thrift_inner(&logical, 1);
            fth_thrift_end(&text);
            fth_thrift_end(&logical);
        }
        fth_thrift_end(&item);
    }
}

static void put_entry(struct fth_thrift *meta, const char *key, const void *value, size_t length)
{
    struct fth_thrift item = fth_thrift_item(meta);
    fth_thrift_text(&item, 1, key);
    fth_thrift_binary(&item, 2, value, length);
    fth_thrift_end(&item);
}

/* {"start":"ns","bytes":"bytes"} */
static void put_units(const struct fth_parquet *file, struct fth_thrift *meta)
{
    struct fth_sink text;
    struct fth_json json;
    fth_sink_open_memory(&text);
    fth_json_open(&json, &text, 0);
    fth_json_begin_object(&json);
    for (size_t i = 0; i < file->batch.column_count; i++)
        if (file->batch.columns[i].unit)
            fth_json_key_text(&json, file->batch.columns[i].name, file->batch.columns[i].unit);
    fth_json_end_object(&json);
    put_entry(meta, "fathom.units", text.bytes, text.used);
    fth_sink_close_memory(&text);
}

/* Bounds are in the order of the type. */
static void put_orders(const struct fth_parquet *file, struct fth_thrift *meta)
{
    fth_thrift_list(meta, 7, FTH_THRIFT_STRUCT, file->batch.column_count);
    for (size_t i = 0; i < file->batch.column_count; i++) {
        struct fth_thrift order = fth_thrift_item(meta);
        struct fth_thrift by_type = fth_thrift_inner(&order, 1);
        fth_thrift_end(&by_type);
        fth_thrift_end(&order);
    }
}

static void write_footer(struct fth_parquet *file)
{
    struct fth_bytes *footer = &file->page;
    struct fth_thrift meta = {footer, 0};
    footer->length = 0;
    fth_thrift_integer(&meta, 1, FTH_THRIFT_I32, 2);
    put_schema(file, &meta);
    fth_thrift_integer(&meta, 3, FTH_THRIFT_I64, (int64_t)file->all_rows);
    fth_thrift_list(&meta, 4, FTH_THRIFT_STRUCT, file->group_count);
    fth_bytes_put(footer, file->groups.data, file->groups.length);
    fth_thrift_list(&meta, 5, FTH_THRIFT_STRUCT, 2);
    put_entry(&meta, "fathom", file->facts, strlen(file->facts));
    put_units(file, &meta);
    fth_thrift_text(&meta, 6, "fathom version " FATHOM_VERSION);
    put_orders(file, &meta);
    fth_thrift_end(&meta);
    size_t length = footer->length;
    put_little(footer, length, 4);
    fth_bytes_put(footer, magic, sizeof magic);
    write_bytes(file, footer->data, footer->length);
}

/* ---- the file ---- */

struct fth_parquet *fth_parquet_open(const char *path, const struct fth_batch_column *columns,
                                     size_t count, const char *facts, struct fth_error **error)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        fth_fail_errno(error, "cannot write to '%s'", path);
        return NULL;
    }
    struct fth_parquet *file = fth_new(1, sizeof *file);
    file->path = fth_text_copy(path);
    file->facts = fth_text_copy(facts);
    fth_batch_begin(&file->batch, columns, count);
    file->zstd = ZSTD_createCCtx();
    if (!file->zstd)
        fth_out_of_memory();
    fth_views_open_file(&file->output, descriptor, file->path);
    write_bytes(file, magic, sizeof magic);
    return file;
}

int fth_parquet_close(struct fth_parquet *file, struct fth_error **error)
{
    if (file->batch.rows)
        write_group(file);
    write_footer(file);
    int result = fth_views_close(&file->output, error);
    fth_batch_end(&file->batch);
    ZSTD_freeCCtx(file->zstd);
    fth_bytes_free(&file->page);
    fth_bytes_free(&file->packed);
    fth_bytes_free(&file->head);
    fth_bytes_free(&file->groups);
    free(file->facts);
    free(file->path);
    free(file);
    return result;
}
