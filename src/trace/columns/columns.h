/* The columns of a block: times of its calls (times.h), and for each value that defies prediction a
 * column of its own. As bytes, compressed.
 *
 * A literal column: the smallest of plain values and differences, less their minimum, divided by
 * their greatest common divisor, byte plane by byte plane; zstd behind all columns of the block.
 * Random offsets then cost their entropy. */
#ifndef FTH_TRACE_COLUMNS_COLUMNS_H
#define FTH_TRACE_COLUMNS_COLUMNS_H

#include "base/bytes.h"
#include "base/error.h"
#include "trace/names/names.h"
#include "trace/columns/times.h"

/* Columns of up to FTH_BLOCK_CALLS calls: two frames in the process's section. */
struct fth_block {
    uint64_t calls;
    uint64_t base; /* units: exit of the call before the first one */
    uint64_t time_stored, time_raw, literal_stored, literal_raw;
    /* of means, in place of times: what the means of its gaps, and of durations that take time, add
     * up to, in 256ths of a unit */
    uint64_t gap_weight, duration_weight;
};

/* A literal column belongs to a value of a function, or to a number of a name that is one: value +
 * 32 * number. */
enum { FTH_LITERAL_VALUES = 32 * FTH_NAME_NUMBERS };

/* Where the column of a function's value stands: a hash table of numbers + 1, by key. */
struct fth_column_places {
    struct {
        uint32_t key, number;
    } * table;
    uint32_t size, used;
};

struct fth_literal_column {
    uint32_t function,
        value; /* index of the value in the function's plan; + 32 * k for number k of a name */
    int64_t *values;
    size_t count;
};

/* Gathers the calls of a block; used again and again. */
struct fth_columns {
    struct fth_times times;
    struct fth_literal_column *columns;
    size_t column_count;
    struct fth_column_places places;
    struct fth_bytes
        marks; /* cell_marks.h: what the literals leave behind; they stand before them */
    struct fth_bytes scratch;
};

void fth_columns_literal(struct fth_columns *columns, uint32_t function, uint32_t value,
                         int64_t literal);
/* Appends the block's two frames to `to`, describes them in *block (but for its calls and base),
 * and empties the columns. */
void fth_columns_pack(struct fth_columns *columns, struct fth_bytes *to, struct fth_block *block);
void fth_columns_free(struct fth_columns *columns);

/* Reading a block. A column is unpacked as its values are asked for. */
struct fth_packed_column {
    const uint8_t *planes; /* `count` bytes each, `width` of them */
    uint64_t count, read;
    uint64_t divisor, least, before;
    uint8_t method, width;
};
struct fth_column_reader {
    struct fth_bytes literals, raw_times;
    struct fth_times_reader times;
    struct fth_packed_column *columns;
    size_t column_count;
    struct fth_column_places places;
};
/* Unpacks the frames at `frames`, as many bytes as `block` says. The reader is zero, or has read
 * another block, whose memory serves again. */
int fth_columns_unpack(struct fth_column_reader *reader, const uint8_t *frames,
                       const struct fth_block *block, struct fth_error **error);
/* The same without literals: for who asks for times alone. */
int fth_columns_unpack_times(struct fth_column_reader *reader, const uint8_t *frames,
                             const struct fth_block *block, struct fth_error **error);
/* The marks alone: a view into bytes that the caller frees. NULL: damaged. */
uint8_t *fth_columns_marks(const uint8_t *frames, const struct fth_block *block,
                           struct fth_view *marks, struct fth_error **error);
/* The next literal of a column. False: the block does not have it. */
bool fth_column_literal(struct fth_column_reader *reader, uint32_t function, uint32_t value,
                        int64_t *literal);
void fth_column_reader_free(struct fth_column_reader *reader);

/* Integers without a rule in them, as in a literal column: signed least, varint divisor, varint
 * width, planes. */
void fth_plain_put(struct fth_bytes *to, int64_t *values, size_t count);
/* False: damaged. The planes stay where they are. */
bool fth_plain_read(struct fth_packed_column *column, struct fth_view *view, uint64_t count);
int64_t fth_plain_at(const struct fth_packed_column *column, uint64_t i);

#endif
