/* Shapes: adding, absorbing, messages. How they stand in a trace is in shape_columns.c. */
#include "trace/file/shapes.h"

#include "base/memory.h"

uint32_t fth_shapes_name(struct fth_shapes *shapes, const void *bytes, size_t length)
{
    uint32_t number = fth_intern(&shapes->names, bytes, length);
    shapes->shapes =
        fth_reach(shapes->shapes, &shapes->shape_limit, number, sizeof *shapes->shapes);
    return number;
}

/* Its columns, when it is new. */
static void make_columns(struct fth_process_shape *shape, uint32_t count)
{
    if (shape->columns)
        return;
    shape->column_count = count;
    shape->columns = fth_new(count, sizeof *shape->columns);
    shape->first_lines = fth_new_rows(count, sizeof *shape->first_lines);
}

static void add_line(struct fth_process_shape *shape, uint32_t column, struct fth_line line)
{
    struct fth_lines *lines = &shape->columns[column];
    if (lines->count) {
        fth_lines_add(lines, line);
        return;
    }
    shape->first_lines[column] = line;
    *lines = (struct fth_lines){.lines = &shape->first_lines[column], .count = 1};
}

void fth_shapes_add(struct fth_shapes *shapes, const void *bytes, size_t length,
                    const int64_t *numbers, uint32_t number_count)
{
    uint32_t number = fth_shapes_name(shapes, bytes, length), thing = shapes->count++;
    struct fth_process_shape *shape = &shapes->shapes[number];
    fth_lines_add(&shape->members, (struct fth_line){1, shape->member_count++, thing, 0});
    make_columns(shape, number_count);
    for (uint32_t i = 0; i < number_count; i++)
        add_line(shape, i, (struct fth_line){1, thing, numbers[i], 0});
}

static void absorb_members(struct fth_process_shape *into, const struct fth_process_shape *from,
                           uint32_t first)
{
    for (uint32_t i = 0; i < from->members.count; i++) {
        struct fth_line line = from->members.lines[i];
        line.at += into->member_count;
        line.first += first;
        fth_lines_add(&into->members, line);
    }
    into->member_count += from->member_count;
}

static void absorb_column(struct fth_process_shape *into, const struct fth_process_shape *from,
                          uint32_t column, uint32_t at)
{
    const struct fth_lines *lines = &from->columns[column];
    for (uint32_t i = 0; i < lines->count; i++) {
        struct fth_line line = lines->lines[i];
        line.at += at;
        add_line(into, column, line);
    }
}

void fth_shapes_absorb(struct fth_shapes *into, const struct fth_shapes *from, const uint32_t *map)
{
    for (uint32_t i = 0; i < from->names.count; i++) {
        const struct fth_process_shape *added = &from->shapes[i];
        struct fth_process_shape *shape = &into->shapes[map[i]];
        absorb_members(shape, added, into->count);
        make_columns(shape, added->column_count);
        for (uint32_t k = 0; k < added->column_count; k++)
            absorb_column(shape, added, k, into->count);
    }
    into->count += from->count;
}

void fth_shapes_free(struct fth_shapes *shapes)
{
    for (uint32_t i = 0; i < shapes->names.count; i++) {
        struct fth_process_shape *shape = &shapes->shapes[i];
        for (uint32_t k = 0; k < shape->column_count; k++)
            fth_lines_free(&shape->columns[k]);
        free(shape->columns);
        free(shape->first_lines);
        fth_lines_free(&shape->members);
    }
    free(shapes->shapes);
    fth_intern_free(&shapes->names);
    *shapes = (struct fth_shapes){0};
}

void fth_lines_list(const struct fth_lines *lines, const uint32_t *things, int64_t *numbers)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < lines->count; i++)
        for (uint32_t k = 0; k < lines->lines[i].count; k++, at++)
            numbers[at] =
                (int64_t)((uint64_t)lines->lines[i].first +
                          (uint64_t)lines->lines[i].step * (things[at] - lines->lines[i].at));
}

uint32_t *fth_shape_things(const struct fth_process_shape *shape)
{
    uint32_t *ordinals = fth_new(shape->member_count, sizeof *ordinals),
             *things = fth_new(shape->member_count, sizeof *things);
    int64_t *numbers = fth_new(shape->member_count, sizeof *numbers);
    for (uint32_t i = 0; i < shape->member_count; i++)
        ordinals[i] = i;
    fth_lines_list(&shape->members, ordinals, numbers);
    for (uint32_t i = 0; i < shape->member_count; i++)
        things[i] = (uint32_t)numbers[i];
    free(ordinals);
    free(numbers);
    return things;
}

/* ---- messages ---- */

static void send_lines(const struct fth_lines *lines, struct fth_bytes *to)
{
    fth_bytes_varint(to, lines->count);
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct fth_line *line = &lines->lines[i];
        fth_bytes_varint(to, line->count);
        fth_bytes_varint(to, line->at);
        fth_bytes_signed(to, line->first);
        fth_bytes_signed(to, line->step);
    }
}

static void receive_lines(struct fth_lines *lines, struct fth_view *from)
{
    lines->count = lines->limit = (uint32_t)fth_view_count(from, 4);
    if (lines->count)
        lines->lines = fth_new(lines->count, sizeof *lines->lines);
    for (uint32_t i = 0; i < lines->count; i++) {
        struct fth_line *line = &lines->lines[i];
        line->count = (uint32_t)fth_view_varint(from);
        line->at = (uint32_t)fth_view_varint(from);
        line->first = fth_view_signed(from);
        line->step = fth_view_signed(from);
    }
}

void fth_shapes_send(const struct fth_shapes *shapes, struct fth_bytes *to)
{
    fth_bytes_varint(to, shapes->count);
    fth_bytes_varint(to, shapes->names.count);
    for (uint32_t i = 0; i < shapes->names.count; i++) {
        const struct fth_process_shape *shape = &shapes->shapes[i];
        size_t length;
        const uint8_t *bytes = fth_interned(&shapes->names, i, &length);
        fth_bytes_text(to, bytes, length);
        fth_bytes_varint(to, shape->member_count);
        send_lines(&shape->members, to);
        fth_bytes_varint(to, shape->column_count);
        for (uint32_t k = 0; k < shape->column_count; k++)
            send_lines(&shape->columns[k], to);
    }
}

bool fth_shapes_receive(struct fth_shapes *shapes, struct fth_view *from)
{
    *shapes = (struct fth_shapes){.count = (uint32_t)fth_view_varint(from)};
    uint64_t count = fth_view_count(from, 4);
    for (uint64_t i = 0; i < count && !from->failed; i++) {
        uint64_t length = fth_view_varint(from);
        const uint8_t *bytes = fth_view_bytes(from, length);
        if (!bytes || fth_shapes_name(shapes, bytes, length) != i)
            return false;
        struct fth_process_shape *shape = &shapes->shapes[i];
        shape->member_count = (uint32_t)fth_view_varint(from);
        receive_lines(&shape->members, from);
        make_columns(shape, (uint32_t)fth_view_count(from, 1));
        for (uint32_t k = 0; k < shape->column_count; k++)
            receive_lines(&shape->columns[k], from);
    }
    return !from->failed;
}
