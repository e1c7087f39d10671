/* Packing and unpacking the columns of a block. */
#include "trace/columns/compress.h"
#include "trace/columns/columns.h"

#include "base/memory.h"
#include "catalog/values.h"

#include <inttypes.h>

enum { METHOD_PLAIN = 0, METHOD_DIFFERENCES = 1 };

/* ---- places ---- */

static uint32_t key_of(uint32_t function, uint32_t value)
{
    return function << 12 | value;
}

/* Where the key stands, or where it would go; the table is never full. */
static uint32_t find_place(const struct fth_column_places *places, uint32_t key)
{
    uint32_t at = key * 0x9E3779B1u >> 7;
    for (;; at++) {
        at &= places->size - 1;
        if (!places->table[at].number || places->table[at].key == key)
            return at;
    }
}

static void add_place(struct fth_column_places *places, uint32_t key, uint32_t number)
{
    if (places->used * 2 >= places->size) {
        struct fth_column_places old = *places;
        places->size = old.size ? old.size * 2 : 16;
        places->table = fth_new(places->size, sizeof *places->table);
        for (uint32_t i = 0; i < old.size; i++)
            if (old.table[i].number)
                places->table[find_place(places, old.table[i].key)] = old.table[i];
        free(old.table);
    }
    uint32_t at = find_place(places, key);
    places->table[at].key = key;
    places->table[at].number = number + 1;
    places->used++;
}

/* The number of the key's column, or -1. */
static int64_t number_of(const struct fth_column_places *places, uint32_t key)
{
    return places->size ? (int64_t)places->table[find_place(places, key)].number - 1 : -1;
}

static void free_places(struct fth_column_places *places)
{
    free(places->table);
    *places = (struct fth_column_places){0};
}

/* ---- gathering ---- */

void fth_columns_literal(struct fth_columns *columns, uint32_t function, uint32_t value,
                         int64_t literal)
{
    int64_t number = number_of(&columns->places, key_of(function, value));
    if (number < 0) {
        number = (int64_t)columns->column_count;
        FTH_GROW(columns->columns, columns->column_count);
        columns->columns[columns->column_count++] =
            (struct fth_literal_column){.function = function, .value = value};
        add_place(&columns->places, key_of(function, value), (uint32_t)number);
    }
    struct fth_literal_column *column = &columns->columns[number];
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

static int64_t value_by(const struct fth_literal_column *column, size_t i, unsigned method)
{
    uint64_t value = (uint64_t)column->values[i];
    if (method == METHOD_DIFFERENCES && i)
        value -= (uint64_t)column->values[i - 1];
    return (int64_t)value;
}

static struct shape measure(const struct fth_literal_column *column, unsigned method)
{
    struct shape shape = {INT64_MAX, 0, 0};
    int64_t most = INT64_MIN;
    for (size_t i = 0; i < column->count; i++) {
        int64_t value = value_by(column, i, method);
        shape.least = value < shape.least ? value : shape.least;
        most = value > most ? value : most;
    }
    for (size_t i = 0; i < column->count && shape.divisor != 1; i++)
        shape.divisor = common_divisor(
            (uint64_t)value_by(column, i, method) - (uint64_t)shape.least, shape.divisor);
    if (shape.divisor == 0)
        shape.divisor = 1;
    for (uint64_t range = ((uint64_t)most - (uint64_t)shape.least) / shape.divisor; range;
         range >>= 8)
        shape.width++;
    return shape;
}

static void put_planes(struct fth_bytes *to, const struct fth_literal_column *column,
                       unsigned method, const struct shape *shape)
{
    uint8_t *plane = fth_bytes_room(to, shape->width * column->count);
    for (size_t i = 0; i < column->count; i++) {
        uint64_t value =
            ((uint64_t)value_by(column, i, method) - (uint64_t)shape->least) / shape->divisor;
        for (unsigned k = 0; k < shape->width; k++, value >>= 8)
            plane[k * column->count + i] = (uint8_t)value;
    }
    to->length += shape->width * column->count;
}

static void put_shaped(struct fth_bytes *to, const struct fth_literal_column *column,
                       unsigned method, const struct shape *shape)
{
    fth_bytes_signed(to, shape->least);
    fth_bytes_varint(to, shape->divisor);
    fth_bytes_varint(to, shape->width);
    put_planes(to, column, method, shape);
}

static void pack_column(struct fth_bytes *to, const struct fth_literal_column *column)
{
    struct shape plain = measure(column, METHOD_PLAIN),
                 differences = measure(column, METHOD_DIFFERENCES);
    unsigned method = differences.width < plain.width ? METHOD_DIFFERENCES : METHOD_PLAIN;
    const struct shape *shape = method == METHOD_PLAIN ? &plain : &differences;
    fth_bytes_varint(to, column->function);
    fth_bytes_varint(to, column->value);
    fth_bytes_varint(to, column->count);
    fth_bytes_varint(to, method);
    put_shaped(to, column, method, shape);
}

void fth_plain_put(struct fth_bytes *to, int64_t *values, size_t count)
{
    struct fth_literal_column column = {.values = values, .count = count};
    struct shape shape = measure(&column, METHOD_PLAIN);
    put_shaped(to, &column, METHOD_PLAIN, &shape);
}

void fth_columns_pack(struct fth_columns *columns, struct fth_bytes *to, struct fth_block *block)
{
    struct fth_bytes *raw = &columns->scratch;
    size_t before = to->length;
    if (columns->times.calls)
        block->time_raw = fth_times_pack(&columns->times, to);
    block->time_stored = to->length - before;
    before = to->length;
    raw->length = 0;
    if (columns->column_count || columns->marks.length)
        fth_bytes_text(raw, columns->marks.data, columns->marks.length);
    columns->marks.length = 0;
    for (size_t i = 0; i < columns->column_count; i++) {
        pack_column(raw, &columns->columns[i]);
        free(columns->columns[i].values);
    }
    columns->column_count = 0;
    free_places(&columns->places);
    if (raw->length)
        fth_compress(raw->data, raw->length, to);
    block->literal_raw = raw->length;
    block->literal_stored = to->length - before;
}

void fth_columns_free(struct fth_columns *columns)
{
    for (size_t i = 0; i < columns->column_count; i++)
        free(columns->columns[i].values);
    free(columns->columns);
    free_places(&columns->places);
    fth_times_free(&columns->times);
    fth_bytes_free(&columns->marks);
    fth_bytes_free(&columns->scratch);
}

/* ---- unpacking ---- */

bool fth_plain_read(struct fth_packed_column *column, struct fth_view *view, uint64_t count)
{
    *column = (struct fth_packed_column){.count = count};
    column->least = (uint64_t)fth_view_signed(view);
    column->divisor = fth_view_varint(view);
    uint64_t width = fth_view_varint(view);
    if (view->failed || width > 8 || (width && count > fth_view_left(view) / width))
        return false;
    column->width = (uint8_t)width;
    column->planes = fth_view_bytes(view, count * width);
    return column->planes != NULL;
}

int64_t fth_plain_at(const struct fth_packed_column *column, uint64_t i)
{
    uint64_t unpacked = 0;
    for (unsigned k = column->width; k-- > 0;)
        unpacked = unpacked << 8 | column->planes[k * column->count + i];
    return (int64_t)(unpacked * column->divisor + column->least);
}

/* Adds one column, of `most` values at most. */
static int unpack_column(struct fth_column_reader *reader, struct fth_view *view, uint64_t most,
                         struct fth_error **error)
{
    uint64_t function = fth_view_varint(view), value = fth_view_varint(view);
    uint64_t count = fth_view_varint(view), method = fth_view_varint(view);
    struct fth_packed_column column;
    if (view->failed || function > UINT16_MAX || value >= FTH_LITERAL_VALUES || count == 0 ||
        count > most || method > METHOD_DIFFERENCES)
        return fth_fail(error, "a literal column is damaged");
    uint32_t key = key_of((uint32_t)function, (uint32_t)value);
    if (number_of(&reader->places, key) >= 0)
        return fth_fail(error, "a literal column occurs twice");
    if (!fth_plain_read(&column, view, count))
        return fth_fail(error, "a literal column is truncated");
    column.method = (uint8_t)method;
    FTH_GROW(reader->columns, reader->column_count);
    add_place(&reader->places, key, (uint32_t)reader->column_count);
    reader->columns[reader->column_count++] = column;
    return 0;
}

static int unpack_literals(struct fth_column_reader *reader, const struct fth_block *block,
                           struct fth_error **error)
{
    struct fth_view view = fth_view_of(reader->literals.data, block->literal_raw);
    uint64_t left = block->calls * FTH_LITERAL_VALUES;
    if (block->literal_raw && !fth_view_bytes(&view, fth_view_varint(&view)))
        return fth_fail(error, "marks are truncated");
    while (view.at < view.end) {
        if (unpack_column(reader, &view, left < block->calls ? left : block->calls, error))
            return -1;
        left -= reader->columns[reader->column_count - 1].count;
    }
    return 0;
}

int fth_columns_unpack_times(struct fth_column_reader *reader, const uint8_t *frames,
                             const struct fth_block *block, struct fth_error **error)
{
    if (!block->time_raw)
        return 0;
    if (block->time_raw == FTH_TIMES_CODED)
        return fth_times_read_coded(&reader->times, frames, block->time_stored,
                                    (uint32_t)block->calls, error);
    uint8_t *raw = fth_bytes_room(&reader->raw_times, block->time_raw);
    if (fth_decompress(frames, block->time_stored, raw, block->time_raw, error))
        return fth_fail_in(error, "times");
    return fth_times_read(&reader->times, raw, block->time_raw, (uint32_t)block->calls, error);
}

static void forget_literals(struct fth_column_reader *reader)
{
    free(reader->columns);
    reader->columns = NULL;
    reader->column_count = 0;
    free_places(&reader->places);
}

int fth_columns_unpack(struct fth_column_reader *reader, const uint8_t *frames,
                       const struct fth_block *block, struct fth_error **error)
{
    forget_literals(reader);
    if (fth_columns_unpack_times(reader, frames, block, error))
        return -1;
    uint8_t *literals = fth_bytes_room(&reader->literals, block->literal_raw);
    if (block->literal_raw && fth_decompress(frames + block->time_stored, block->literal_stored,
                                             literals, block->literal_raw, error))
        return fth_fail_in(error, "literals");
    return unpack_literals(reader, block, error);
}

uint8_t *fth_columns_marks(const uint8_t *frames, const struct fth_block *block,
                           struct fth_view *marks, struct fth_error **error)
{
    uint8_t *raw = fth_new(block->literal_raw, 1);
    *marks = fth_view_of(raw, 0);
    if (!block->literal_raw)
        return raw;
    int status = fth_decompress(frames + block->time_stored, block->literal_stored, raw,
                                block->literal_raw, error);
    struct fth_view view = fth_view_of(raw, block->literal_raw);
    uint64_t length = fth_view_varint(&view);
    const uint8_t *bytes = status ? NULL : fth_view_bytes(&view, length);
    if (bytes) {
        *marks = fth_view_of(bytes, length);
        return raw;
    }
    if (!status)
        fth_fail(error, "marks are truncated");
    free(raw);
    return NULL;
}

bool fth_column_literal(struct fth_column_reader *reader, uint32_t function, uint32_t value,
                        int64_t *literal)
{
    int64_t number = number_of(&reader->places, key_of(function, value));
    if (number < 0 || reader->columns[number].read == reader->columns[number].count)
        return false;
    struct fth_packed_column *column = &reader->columns[number];
    uint64_t unpacked = (uint64_t)fth_plain_at(column, column->read);
    if (column->method == METHOD_DIFFERENCES && column->read)
        unpacked += column->before;
    column->before = unpacked;
    column->read++;
    *literal = (int64_t)unpacked;
    return true;
}

void fth_column_reader_free(struct fth_column_reader *reader)
{
    fth_times_reader_free(&reader->times);
    fth_bytes_free(&reader->literals);
    fth_bytes_free(&reader->raw_times);
    forget_literals(reader);
    *reader = (struct fth_column_reader){0};
}
