/* Packing and unpacking the columns of a block. */
#include "trace/columns.h"

#include "base/memory.h"

#include <inttypes.h>
#include <zstd.h>

enum { LEVEL = 3, MOST_COLUMNS = 4096 };
enum { METHOD_PLAIN = 0, METHOD_DIFFERENCES = 1 };

/* ---- zstd ---- */

void fth_compress(const void *bytes, size_t length, struct fth_bytes *to)
{
    static __thread ZSTD_CCtx *context;
    if (!context)
        context = ZSTD_createCCtx();
    size_t bound = ZSTD_compressBound(length);
    size_t size = ZSTD_compressCCtx(context, fth_bytes_room(to, bound), bound, bytes, length, LEVEL);
    if (ZSTD_isError(size))
        abort(); /* only out of memory, with a bound that fits */
    to->length += size;
}

int fth_decompress(const void *bytes, size_t length, void *raw, size_t raw_length, struct fth_error **error)
{
    size_t size = ZSTD_decompress(raw, raw_length, bytes, length);
    if (ZSTD_isError(size))
        return fth_fail(error, "%s", ZSTD_getErrorName(size));
    return size == raw_length ? 0 : fth_fail(error, "%zu bytes instead of %zu", size, raw_length);
}

/* ---- gathering ---- */

void fth_columns_call(struct fth_columns *columns, uint64_t gap, uint64_t duration)
{
    fth_bytes_varint(&columns->gaps, gap);
    fth_bytes_varint(&columns->durations, duration);
    columns->calls++;
}

static struct fth_column *find_column(struct fth_column *columns, size_t count, uint32_t function, uint32_t value)
{
    for (size_t i = 0; i < count; i++)
        if (columns[i].function == function && columns[i].value == value)
            return &columns[i];
    return NULL;
}

void fth_columns_literal(struct fth_columns *columns, uint32_t function, uint32_t value, int64_t literal)
{
    struct fth_column *column = find_column(columns->columns, columns->column_count, function, value);
    if (!column) {
        FTH_GROW(columns->columns, columns->column_count);
        column = &columns->columns[columns->column_count++];
        *column = (struct fth_column){.function = function, .value = value};
    }
    FTH_GROW(column->values, column->count);
    column->values[column->count++] = literal;
}

/* ---- packing ---- */

static uint64_t common_divisor(uint64_t one, uint64_t other)
{
    while (other) {
        uint64_t rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

/* How a column looks by one method: what it is less than, divided by, and bytes wide. */
struct shape {
    int64_t least;
    uint64_t divisor;
    unsigned width;
};

static int64_t value_by(const struct fth_column *column, size_t i, unsigned method)
{
    uint64_t value = (uint64_t)column->values[i];
    if (method == METHOD_DIFFERENCES && i)
        value -= (uint64_t)column->values[i - 1];
    return (int64_t)value;
}

static struct shape measure(const struct fth_column *column, unsigned method)
{
    struct shape shape = {INT64_MAX, 0, 0};
    int64_t most = INT64_MIN;
    for (size_t i = 0; i < column->count; i++) {
        int64_t value = value_by(column, i, method);
        shape.least = value < shape.least ? value : shape.least;
        most = value > most ? value : most;
    }
    for (size_t i = 0; i < column->count && shape.divisor != 1; i++)
        shape.divisor = common_divisor((uint64_t)value_by(column, i, method) - (uint64_t)shape.least, shape.divisor);
    if (shape.divisor == 0)
        shape.divisor = 1;
    for (uint64_t range = ((uint64_t)most - (uint64_t)shape.least) / shape.divisor; range; range >>= 8)
        shape.width++;
    return shape;
}

static void put_planes(struct fth_bytes *to, const struct fth_column *column, unsigned method, const struct shape *shape)
{
    uint8_t *plane = fth_bytes_room(to, shape->width * column->count);
    for (size_t i = 0; i < column->count; i++) {
        uint64_t value = ((uint64_t)value_by(column, i, method) - (uint64_t)shape->least) / shape->divisor;
        for (unsigned k = 0; k < shape->width; k++, value >>= 8)
            plane[k * column->count + i] = (uint8_t)value;
    }
    to->length += shape->width * column->count;
}

static void pack_column(struct fth_bytes *to, const struct fth_column *column)
{
    struct shape plain = measure(column, METHOD_PLAIN), differences = measure(column, METHOD_DIFFERENCES);
    unsigned method = differences.width < plain.width ? METHOD_DIFFERENCES : METHOD_PLAIN;
    const struct shape *shape = method == METHOD_PLAIN ? &plain : &differences;
    fth_bytes_varint(to, column->function);
    fth_bytes_varint(to, column->value);
    fth_bytes_varint(to, column->count);
    fth_bytes_varint(to, method);
    fth_bytes_signed(to, shape->least);
    fth_bytes_varint(to, shape->divisor);
    fth_bytes_varint(to, shape->width);
    put_planes(to, column, method, shape);
}

void fth_columns_pack(struct fth_columns *columns, struct fth_bytes *to, struct fth_block *block)
{
    struct fth_bytes *raw = &columns->scratch;
    size_t before = to->length;
    raw->length = 0;
    fth_bytes_text(raw, columns->gaps.data, columns->gaps.length);
    fth_bytes_put(raw, columns->durations.data, columns->durations.length);
    fth_compress(raw->data, raw->length, to);
    block->calls = columns->calls;
    block->time_raw = raw->length;
    block->time_stored = to->length - before;
    before = to->length;
    raw->length = 0;
    for (size_t i = 0; i < columns->column_count; i++) {
        if (columns->columns[i].count)
            pack_column(raw, &columns->columns[i]);
        columns->columns[i].count = 0;
        free(columns->columns[i].values);
        columns->columns[i].values = NULL;
    }
    columns->column_count = 0;
    if (raw->length)
        fth_compress(raw->data, raw->length, to);
    block->literal_raw = raw->length;
    block->literal_stored = to->length - before;
    columns->gaps.length = columns->durations.length = 0;
    columns->calls = 0;
}

void fth_columns_free(struct fth_columns *columns)
{
    for (size_t i = 0; i < columns->column_count; i++)
        free(columns->columns[i].values);
    free(columns->columns);
    fth_bytes_free(&columns->gaps);
    fth_bytes_free(&columns->durations);
    fth_bytes_free(&columns->scratch);
}

/* ---- unpacking ---- */

static int unpack_column(struct fth_view *view, struct fth_column *column, struct fth_error **error)
{
    column->function = (uint32_t)fth_view_varint(view);
    column->value = (uint32_t)fth_view_varint(view);
    uint64_t count = fth_view_varint(view), method = fth_view_varint(view);
    int64_t least = fth_view_signed(view);
    uint64_t divisor = fth_view_varint(view), width = fth_view_varint(view);
    if (view->failed || count > (1u << 20) || method > METHOD_DIFFERENCES || width > 8)
        return fth_fail(error, "a literal column is damaged");
    const uint8_t *planes = fth_view_bytes(view, count * width);
    if (!planes)
        return fth_fail(error, "a literal column is cut");
    column->count = count;
    column->values = fth_new(count, sizeof *column->values);
    uint64_t before = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = 0;
        for (uint64_t k = width; k-- > 0;)
            value = value << 8 | planes[k * count + i];
        value = value * divisor + (uint64_t)least;
        if (method == METHOD_DIFFERENCES && i)
            value += before;
        before = value;
        column->values[i] = (int64_t)value;
    }
    return 0;
}

static int unpack_literals(struct fth_column_reader *reader, size_t length, struct fth_error **error)
{
    struct fth_view view = fth_view_of(reader->literals, length);
    while (view.at < view.end) {
        if (reader->column_count == MOST_COLUMNS)
            return fth_fail(error, "too many literal columns");
        FTH_GROW(reader->columns, reader->column_count);
        struct fth_column *column = &reader->columns[reader->column_count++];
        *column = (struct fth_column){0};
        if (unpack_column(&view, column, error))
            return -1;
    }
    return 0;
}

int fth_columns_unpack(struct fth_column_reader *reader, const uint8_t *frames, const struct fth_block *block,
                       struct fth_error **error)
{
    *reader = (struct fth_column_reader){0};
    reader->time = fth_new(block->time_raw, 1);
    reader->literals = fth_new(block->literal_raw, 1);
    if (fth_decompress(frames, block->time_stored, reader->time, block->time_raw, error))
        return fth_fail_in(error, "times");
    if (block->literal_raw && fth_decompress(frames + block->time_stored, block->literal_stored, reader->literals,
                                             block->literal_raw, error))
        return fth_fail_in(error, "literals");
    struct fth_view view = fth_view_of(reader->time, block->time_raw);
    uint64_t length = fth_view_varint(&view);
    const uint8_t *gaps = fth_view_bytes(&view, length);
    if (!gaps)
        return fth_fail(error, "times are cut");
    reader->gaps = fth_view_of(gaps, length);
    reader->durations = view;
    return unpack_literals(reader, block->literal_raw, error);
}

bool fth_column_literal(struct fth_column_reader *reader, uint32_t function, uint32_t value, int64_t *literal)
{
    struct fth_column *column = find_column(reader->columns, reader->column_count, function, value);
    if (!column || column->read == column->count)
        return false;
    *literal = column->values[column->read++];
    return true;
}

void fth_column_reader_free(struct fth_column_reader *reader)
{
    free(reader->time);
    free(reader->literals);
    for (size_t i = 0; i < reader->column_count; i++)
        free(reader->columns[i].values);
    free(reader->columns);
    *reader = (struct fth_column_reader){0};
}
