/* Shapes in a trace: section SHAP.
 *
 * A column whose numbers are on one line is that line. Otherwise the numbers, less slope * thing
 * for a slope that is tried, are cut into lines (at the first places where three in a row are not
 * on one, so that the same borders are cut the same way everywhere), and the sequence of lines goes
 * through a grammar: borders that come again and again, as the rows of a grid do, cost what one
 * costs. Or they are cut into stairs, each so many things wide and so much higher than the one
 * before: nodes of 64 ranks each, neighbours around a ring. What is not shorter so is packed as
 * bytes. */
#include "trace/file/shapes.h"

#include "base/memory.h"
#include "trace/grammar/rules.h"
#include "trace/grammar/grammar.h"

#include <inttypes.h>

enum { METHOD_LINE, METHOD_FOLDED, METHOD_PACKED, METHOD_STAIRS };
enum { FOLD_NODES = 1 << 13, MOST_SLOPES = 3 };

/* The numbers of one column, and whose they are. */
struct listed {
    const uint32_t *things;
    const int64_t *numbers;
    uint32_t count;
};

/* What writing needs again and again. */
struct writer {
    struct fth_grammar *grammar;
    struct fth_intern lines; /* each as it stands in the section */
    struct fth_bytes packed, best, one;
};

static int64_t plus_times(int64_t sum, int64_t factor, uint32_t thing)
{
    return (int64_t)((uint64_t)sum + (uint64_t)factor * thing);
}

/* ---- cutting into lines ---- */

struct cut {
    uint32_t count;
    int64_t step, intercept;
};

static int64_t rest_at(const struct listed *listed, int64_t slope, uint32_t i)
{
    return plus_times(listed->numbers[i], (int64_t) - (uint64_t)slope, listed->things[i]);
}

static bool on_line(const struct listed *listed, int64_t slope, const struct cut *cut, uint32_t i)
{
    return rest_at(listed, slope, i) == plus_times(cut->intercept, cut->step, listed->things[i]);
}

static struct cut cut_at(const struct listed *listed, int64_t slope, uint32_t i)
{
    struct cut cut = {1, 0, rest_at(listed, slope, i)};
    if (i + 2 < listed->count) {
        int64_t rise = (int64_t)((uint64_t)rest_at(listed, slope, i + 1) - (uint64_t)cut.intercept);
        int64_t run = (int64_t)listed->things[i + 1] - listed->things[i];
        struct cut line = {1, rise / run, 0};
        line.intercept =
            plus_times(cut.intercept, (int64_t) - (uint64_t)line.step, listed->things[i]);
        if (rise % run == 0 && on_line(listed, slope, &line, i + 2))
            cut = line;
    }
    while (i + cut.count < listed->count && on_line(listed, slope, &cut, i + cut.count))
        cut.count++;
    return cut;
}

/* ---- writing ---- */

/* Another cut behind those that are in the grammar, as it stands in writer->one. False: these are
 * too many to fold. */
static bool append_cut(struct writer *writer)
{
    if (fth_grammar_full(writer->grammar) || writer->lines.store.length > 4 * FOLD_NODES)
        return false;
    fth_grammar_append(writer->grammar,
                       fth_intern(&writer->lines, writer->one.data, writer->one.length));
    writer->one.length = 0;
    return true;
}

static void begin_cuts(struct writer *writer)
{
    fth_intern_free(&writer->lines);
    fth_grammar_reset(writer->grammar);
    writer->one.length = 0;
}

/* The cuts and their order. */
static void put_cuts(struct writer *writer)
{
    fth_bytes_varint(&writer->one, writer->lines.count);
    fth_bytes_put(&writer->one, writer->lines.store.data, writer->lines.store.length);
    uint8_t *grammar = fth_new(fth_grammar_write_bound(writer->grammar), 1);
    fth_bytes_text(&writer->one, grammar,
                   (size_t)(fth_grammar_write(writer->grammar, grammar) - grammar));
    free(grammar);
}

/* Leaves the folded column in writer->one; false: it does not fold. */
static bool fold(struct writer *writer, const struct listed *listed, int64_t slope)
{
    begin_cuts(writer);
    for (uint32_t i = 0; i < listed->count;) {
        struct cut cut = cut_at(listed, slope, i);
        fth_bytes_varint(&writer->one, cut.count);
        fth_bytes_signed(&writer->one, cut.step);
        fth_bytes_signed(&writer->one, cut.intercept);
        if (!append_cut(writer))
            return false;
        i += cut.count;
    }
    fth_bytes_varint(&writer->one, METHOD_FOLDED);
    fth_bytes_signed(&writer->one, slope);
    put_cuts(writer);
    return true;
}

/* The same as stairs. */
static bool fold_stairs(struct writer *writer, const struct listed *listed, int64_t slope)
{
    begin_cuts(writer);
    for (uint32_t i = 0, end; i < listed->count; i = end) {
        int64_t height = rest_at(listed, slope, i), rise = 0;
        for (end = i + 1; end < listed->count && rise == 0; end += rise == 0)
            rise = (int64_t)((uint64_t)rest_at(listed, slope, end) - (uint64_t)height);
        fth_bytes_varint(&writer->one, end - i);
        fth_bytes_signed(&writer->one, rise);
        if (!append_cut(writer))
            return false;
    }
    fth_bytes_varint(&writer->one, METHOD_STAIRS);
    fth_bytes_signed(&writer->one, slope);
    fth_bytes_signed(&writer->one, rest_at(listed, slope, 0));
    put_cuts(writer);
    return true;
}

/* Keeps what is in writer->one if it is the shortest so far. */
static void keep_better(struct writer *writer)
{
    if (writer->one.length >= writer->best.length)
        return;
    struct fth_bytes better = writer->one;
    writer->one = writer->best;
    writer->best = better;
}

/* Slopes that may be behind it: none, the thing's own number, and the step of its longest line. */
static unsigned list_slopes(const struct fth_lines *lines, int64_t slopes[MOST_SLOPES])
{
    const struct fth_line *longest = &lines->lines[0];
    for (uint32_t i = 1; i < lines->count; i++)
        if (lines->lines[i].count > longest->count)
            longest = &lines->lines[i];
    slopes[0] = 0;
    slopes[1] = 1;
    slopes[2] = longest->step;
    return longest->step == 0 || longest->step == 1 ? 2 : 3;
}

static void put_line(struct fth_bytes *to, const struct fth_line *line)
{
    fth_bytes_varint(to, METHOD_LINE);
    fth_bytes_signed(to, line->step);
    fth_bytes_signed(to, plus_times(line->first, (int64_t) - (uint64_t)line->step, line->at));
}

static void put_column(struct writer *writer, const struct listed *listed,
                       const struct fth_lines *lines, struct fth_bytes *to)
{
    int64_t slopes[MOST_SLOPES];
    if (lines->count == 1) {
        put_line(to, &lines->lines[0]);
        return;
    }
    writer->best.length = 0;
    fth_bytes_varint(&writer->best, METHOD_PACKED);
    fth_plain_put(&writer->best, (int64_t *)(uintptr_t)listed->numbers, listed->count);
    for (unsigned i = list_slopes(lines, slopes); i-- > 0;) {
        if (fold(writer, listed, slopes[i]))
            keep_better(writer);
        if (fold_stairs(writer, listed, slopes[i]))
            keep_better(writer);
    }
    fth_bytes_put(to, writer->best.data, writer->best.length);
}

static void list_numbers(const struct fth_lines *lines, const uint32_t *things, int64_t *numbers)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < lines->count; i++)
        for (uint32_t k = 0; k < lines->lines[i].count; k++, at++)
            numbers[at] = plus_times(lines->lines[i].first, lines->lines[i].step,
                                     things[at] - lines->lines[i].at);
}

static void put_members(struct writer *writer, const struct fth_shapes *shapes,
                        struct fth_bytes *to)
{
    struct fth_lines lines = {0};
    uint32_t *things = fth_new(shapes->count, sizeof *things);
    int64_t *numbers = fth_new(shapes->count, sizeof *numbers),
            *members = fth_new(shapes->count, sizeof *members);
    for (uint32_t i = 0; i < shapes->count; i++)
        things[i] = i;
    for (uint32_t i = 0; i < shapes->names.count; i++) {
        list_numbers(&shapes->shapes[i].members, things, members);
        for (uint32_t k = 0; k < shapes->shapes[i].member_count; k++)
            numbers[members[k]] = i;
    }
    for (uint32_t i = 0; i < shapes->count; i++)
        fth_lines_add(&lines, (struct fth_line){1, i, numbers[i], 0});
    if (shapes->count)
        put_column(writer, &(struct listed){things, numbers, shapes->count}, &lines, to);
    free(lines.lines);
    free(things);
    free(numbers);
    free(members);
}

static void put_shape(struct writer *writer, const struct fth_process_shape *shape,
                      struct fth_bytes *to)
{
    uint32_t *ordinals = fth_new(shape->member_count, sizeof *ordinals),
             *things = fth_new(shape->member_count, sizeof *things);
    int64_t *numbers = fth_new(shape->member_count, sizeof *numbers);
    for (uint32_t i = 0; i < shape->member_count; i++)
        ordinals[i] = i;
    list_numbers(&shape->members, ordinals, numbers);
    for (uint32_t i = 0; i < shape->member_count; i++)
        things[i] = (uint32_t)numbers[i];
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (shape->columns[i].count > 1)
            list_numbers(&shape->columns[i], things, numbers);
        put_column(writer, &(struct listed){things, numbers, shape->member_count},
                   &shape->columns[i], to);
    }
    free(ordinals);
    free(things);
    free(numbers);
}

void fth_shapes_write(const struct fth_shapes *shapes, struct fth_bytes *to)
{
    struct writer writer = {0};
    void *memory = fth_new(fth_grammar_bytes(FOLD_NODES, 0), 1);
    writer.grammar = fth_grammar_place(memory, FOLD_NODES, 0);
    fth_bytes_varint(to, shapes->names.count);
    for (uint32_t i = 0; i < shapes->names.count; i++) {
        size_t length;
        const uint8_t *bytes = fth_interned(&shapes->names, i, &length);
        fth_bytes_text(to, bytes, length);
        fth_bytes_varint(to, shapes->shapes[i].column_count);
    }
    fth_bytes_varint(to, shapes->count);
    put_members(&writer, shapes, to);
    for (uint32_t i = 0; i < shapes->names.count; i++)
        put_shape(&writer, &shapes->shapes[i], to);
    free(memory);
    fth_intern_free(&writer.lines);
    fth_bytes_free(&writer.best);
    fth_bytes_free(&writer.one);
}

/* ---- reading ---- */

/* Lines or stairs, and their order: one after another they are as many as there are members. */
static int read_cuts(struct fth_read_column *column, struct fth_view *view, uint32_t members,
                     struct fth_error **error)
{
    bool stairs = column->method == METHOD_STAIRS;
    uint64_t count = fth_view_count(view, stairs ? 2 : 3);
    uint64_t *weights = fth_new(count, sizeof *weights), *rises = fth_new(count, sizeof *rises);
    column->lines = fth_new(count, sizeof *column->lines);
    for (uint64_t i = 0; i < count; i++) {
        weights[i] = fth_view_varint(view);
        if (stairs) {
            rises[i] = (uint64_t)fth_view_signed(view);
        } else {
            column->lines[i].step = fth_view_signed(view);
            column->lines[i].first = fth_view_signed(view);
        }
        if (weights[i] == 0 || weights[i] > members)
            view->failed = true;
    }
    uint64_t length = fth_view_varint(view);
    const uint8_t *grammar = fth_view_bytes(view, length);
    int status = 0;
    if (!grammar || view->failed)
        status = fth_fail(error, "it is cut");
    else if (!(column->rules = fth_rules_read(grammar, length, (uint32_t)count, error)))
        status = -1;
    else if (fth_rules_are_counted(column->rules) || !fth_rules_weigh(column->rules, weights) ||
             fth_rules_length(column->rules) != members)
        status = fth_fail(error, "it is not of %" PRIu32 " numbers", members);
    else
        fth_rules_value(column->rules, rises);
    free(weights);
    free(rises);
    return status;
}

static int read_column(struct fth_read_column *column, struct fth_view *view, uint32_t members,
                       struct fth_error **error)
{
    uint64_t method = fth_view_varint(view);
    column->method = (uint8_t)method;
    if (method == METHOD_LINE) {
        column->slope = fth_view_signed(view);
        column->intercept = fth_view_signed(view);
    } else if (method == METHOD_FOLDED) {
        column->slope = fth_view_signed(view);
        return read_cuts(column, view, members, error);
    } else if (method == METHOD_STAIRS) {
        column->slope = fth_view_signed(view);
        column->intercept = fth_view_signed(view);
        return read_cuts(column, view, members, error);
    } else if (method != METHOD_PACKED || !fth_plain_read(&column->packed, view, members)) {
        return fth_fail(error, "it is damaged");
    }
    return view->failed ? fth_fail(error, "it is cut") : 0;
}

static int64_t number_at(const struct fth_read_column *column, uint32_t thing, uint32_t member)
{
    if (column->method == METHOD_LINE)
        return plus_times(column->intercept, column->slope, thing);
    if (column->method == METHOD_PACKED)
        return fth_plain_at(&column->packed, member);
    uint64_t height;
    const struct fth_line *line = &column->lines[fth_rules_at(column->rules, member, &height)];
    if (column->method == METHOD_STAIRS)
        return plus_times((int64_t)((uint64_t)column->intercept + height), column->slope, thing);
    return plus_times(plus_times(line->first, line->step, thing), column->slope, thing);
}

static void free_column(struct fth_read_column *column)
{
    free(column->lines);
    fth_rules_free(column->rules);
    *column = (struct fth_read_column){0};
}

/* Which thing is of which shape. */
static int read_members(struct fth_shape_reader *reader, struct fth_view *view,
                        struct fth_error **error)
{
    struct fth_read_column members = {0};
    int status = read_column(&members, view, reader->count, error);
    for (uint32_t i = 0; i < reader->count && status == 0; i++) {
        int64_t shape = number_at(&members, i, i);
        if (shape < 0 || shape >= reader->shape_count)
            status = fth_fail(error, "number %" PRIu32 " is of shape %" PRId64, i, shape);
        else
            reader->member_of[i] =
                reader->shapes[reader->shape_of[i] = (uint32_t)shape].member_count++;
    }
    free_column(&members);
    return status;
}

static int read_shapes(struct fth_shape_reader *reader, struct fth_view *view, uint32_t most,
                       struct fth_error **error)
{
    uint64_t count = fth_view_count(view, 2);
    reader->shapes = fth_new(count, sizeof *reader->shapes);
    for (uint64_t i = 0; i < count && !view->failed; i++) {
        struct fth_read_shape *shape = &reader->shapes[reader->shape_count++];
        shape->length = fth_view_varint(view);
        shape->bytes = fth_view_bytes(view, shape->length);
        uint64_t columns = fth_view_varint(view);
        if (columns > fth_view_left(view) / 2)
            view->failed = true;
        shape->column_count = (uint32_t)columns;
    }
    uint64_t things = fth_view_varint(view);
    if (view->failed || things > most || (things == 0) != (count == 0))
        return fth_fail(error, "it is cut, or of more than %" PRIu32 " processes", most);
    reader->count = (uint32_t)things;
    reader->shape_of = fth_new(things, sizeof *reader->shape_of);
    reader->member_of = fth_new(things, sizeof *reader->member_of);
    return things ? read_members(reader, view, error) : 0;
}

int fth_shapes_read(struct fth_shape_reader *reader, const void *bytes, size_t length,
                    uint32_t most, struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    *reader = (struct fth_shape_reader){0};
    if (read_shapes(reader, &view, most, error))
        return -1;
    for (uint32_t i = 0; i < reader->shape_count; i++) {
        struct fth_read_shape *shape = &reader->shapes[i];
        if (!shape->member_count)
            return fth_fail(error, "nothing is of shape %" PRIu32, i);
        if (shape->column_count > fth_view_left(&view) / 2)
            return fth_fail(error, "shape %" PRIu32 " is cut", i);
        shape->columns = fth_new(shape->column_count, sizeof *shape->columns);
        for (uint32_t k = 0; k < shape->column_count; k++)
            if (read_column(&shape->columns[k], &view, shape->member_count, error))
                return fth_fail_in(error, "column %" PRIu32 " of shape %" PRIu32, k, i);
    }
    return view.at == view.end ? 0 : fth_fail(error, "it is too long");
}

void fth_shape_reader_free(struct fth_shape_reader *reader)
{
    for (uint32_t i = 0; i < reader->shape_count; i++) {
        for (uint32_t k = 0; reader->shapes[i].columns && k < reader->shapes[i].column_count; k++)
            free_column(&reader->shapes[i].columns[k]);
        free(reader->shapes[i].columns);
    }
    free(reader->shapes);
    free(reader->shape_of);
    free(reader->member_of);
    *reader = (struct fth_shape_reader){0};
}

void fth_shape_numbers(const struct fth_shape_reader *reader, uint32_t thing, int64_t *numbers)
{
    const struct fth_read_shape *shape = &reader->shapes[reader->shape_of[thing]];
    for (uint32_t i = 0; i < shape->column_count; i++)
        numbers[i] = number_at(&shape->columns[i], thing, reader->member_of[thing]);
}
