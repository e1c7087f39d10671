/* Lists of counts as bytes, and back. */
#include "trace/grammar/count_columns.h"

#include "base/memory.h"

/* ---- writing ---- */

static void put_lines(struct fth_bytes *to, const struct fth_lines *lines)
{
    fth_bytes_varint(to, lines->count);
    for (uint32_t i = 0; i < lines->count; i++) {
        fth_bytes_varint(to, lines->lines[i].count);
        fth_bytes_signed(to, lines->lines[i].first);
        fth_bytes_signed(to, lines->lines[i].step);
    }
}

static void put_packed(struct fth_bytes *to, const uint32_t *counts, size_t count)
{
    int64_t *numbers = fth_new(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = counts[i];
    fth_bytes_varint(to, 0);
    fth_plain_put(to, numbers, count);
    free(numbers);
}

void fth_count_column_put(struct fth_bytes *to, const uint32_t *counts, size_t count)
{
    struct fth_lines lines = {0};
    struct fth_bytes packed = {0};
    size_t place = 0;
    fth_bytes_varint(to, count);
    size_t start = to->length;
    for (; place < count && lines.count <= count / 4 + 1; place++)
        fth_lines_add(&lines, (struct fth_line){1, (uint32_t)place, counts[place], 0});
    if (place == count)
        put_lines(to, &lines);
    if (place < count || lines.count > 1) {
        put_packed(&packed, counts, count);
        if (place < count || packed.length < to->length - start) {
            to->length = start;
            fth_bytes_put(to, packed.data, packed.length);
        }
    }
    fth_lines_free(&lines);
    fth_bytes_free(&packed);
}

/* ---- reading ---- */

static bool is_count(int64_t number)
{
    return number >= 0 && number <= UINT32_MAX;
}

static bool read_lines(struct fth_count_column *column, struct fth_view *view, uint64_t lines)
{
    uint64_t done = 0;
    column->lines = fth_new(lines, sizeof *column->lines);
    column->line_count = (uint32_t)lines;
    for (uint64_t i = 0; i < lines; i++) {
        uint64_t count = fth_view_varint(view);
        int64_t first = fth_view_signed(view), step = fth_view_signed(view), last;
        if (view->failed || count == 0 || count > column->count - done || !is_count(first) ||
            __builtin_mul_overflow(step, (int64_t)count - 1, &last) ||
            __builtin_add_overflow(last, first, &last) || !is_count(last))
            return false;
        column->lines[i] = (struct fth_line){(uint32_t)count, (uint32_t)done, first, step};
        column->sum +=
            (uint64_t)(((unsigned __int128)((uint64_t)first + (uint64_t)last)) * count / 2);
        done += count;
    }
    return done == column->count;
}

static bool read_packed(struct fth_count_column *column, struct fth_view *view)
{
    if (!fth_plain_read(&column->packed, view, column->count) || column->packed.width == 0)
        return false;
    for (uint64_t i = 0; i < column->count; i++) {
        int64_t number = fth_plain_at(&column->packed, i);
        if (!is_count(number))
            return false;
        column->sum += (uint64_t)number;
    }
    return true;
}

bool fth_count_column_read(struct fth_count_column *column, struct fth_view *view)
{
    *column = (struct fth_count_column){.count = fth_view_varint(view)};
    uint64_t lines = fth_view_count(view, 3);
    if (view->failed || column->count == 0 || column->count > UINT32_MAX)
        return false;
    return lines ? read_lines(column, view, lines) : read_packed(column, view);
}

void fth_count_column_free(struct fth_count_column *column)
{
    free(column->lines);
    *column = (struct fth_count_column){0};
}

uint32_t fth_count_column_at(const struct fth_count_column *column, uint64_t place, uint32_t *line)
{
    if (!column->lines)
        return (uint32_t)fth_plain_at(&column->packed, place);
    if (place < column->lines[*line].at)
        *line = 0;
    while (place - column->lines[*line].at >= column->lines[*line].count)
        ++*line;
    const struct fth_line *on = &column->lines[*line];
    return (uint32_t)(on->first + on->step * (int64_t)(place - on->at));
}
