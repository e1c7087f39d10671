/* A column of shapes as bytes, and back (docs/format.md, SHAP).
 *
 * A column whose numbers are on one line is that line. Otherwise the numbers, less slope * thing
 * for a slope that is tried, are cut into lines (at the first places where three in a row are not
 * on one, so that the same borders are cut the same way everywhere), and the sequence of lines goes
 * through a grammar: borders that come again and again, as the rows of a grid do, cost what one
 * costs. Or they are cut into stairs, each so many things wide and so much higher than the one
 * before: nodes of 64 ranks each, neighbours around a ring. What is not shorter so is packed as
 * bytes. */
#include "trace/file/shape_columns.h"

#include "base/memory.h"
#include "trace/grammar/rules.h"
#include "trace/grammar/grammar.h"

#include <inttypes.h>

enum { METHOD_LINE, METHOD_FOLDED, METHOD_PACKED, METHOD_STAIRS };
enum {
    FOLD_NODES = 1 << 13,
    MOST_SLOPES = 3,
    /* bytes of a folded column at least: method, slope, number of cuts, a cut; length, number of
     * rules, number of runs, a run */
    LEAST_FOLDED = 3 + 2 + 3 + 2
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

static int64_t rest_at(const struct fth_listed *listed, int64_t slope, uint32_t i)
{
    return plus_times(listed->numbers[i], (int64_t) - (uint64_t)slope, listed->things[i]);
}

static bool on_line(const struct fth_listed *listed, int64_t slope, const struct cut *cut,
                    uint32_t i)
{
    return rest_at(listed, slope, i) == plus_times(cut->intercept, cut->step, listed->things[i]);
}

static struct cut cut_at(const struct fth_listed *listed, int64_t slope, uint32_t i)
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

void fth_column_writer_open(struct fth_column_writer *writer)
{
    *writer = (struct fth_column_writer){.memory = fth_new(fth_grammar_bytes(FOLD_NODES, 0), 1)};
    writer->grammar = fth_grammar_place(writer->memory, FOLD_NODES, 0);
}

void fth_column_writer_close(struct fth_column_writer *writer)
{
    free(writer->memory);
    fth_intern_free(&writer->lines);
    fth_bytes_free(&writer->best);
    fth_bytes_free(&writer->one);
    fth_bytes_free(&writer->order);
}

/* Another cut behind those that are in the grammar, as it stands in writer->one. False: these are
 * too many to fold. */
static bool append_cut(struct fth_column_writer *writer)
{
    if (fth_grammar_full(writer->grammar) || writer->lines.store.length > 4 * FOLD_NODES)
        return false;
    fth_grammar_append(writer->grammar,
                       fth_intern(&writer->lines, writer->one.data, writer->one.length));
    writer->one.length = 0;
    return true;
}

static void begin_cuts(struct fth_column_writer *writer)
{
    fth_intern_empty(&writer->lines);
    fth_grammar_reset(writer->grammar);
    writer->one.length = 0;
}

/* The cuts and their order. */
static void put_cuts(struct fth_column_writer *writer)
{
    fth_bytes_varint(&writer->one, writer->lines.count);
    fth_bytes_put(&writer->one, writer->lines.store.data, writer->lines.store.length);
    uint8_t *order = fth_bytes_room(&writer->order, fth_grammar_write_bound(writer->grammar));
    fth_bytes_text(&writer->one, order,
                   (size_t)(fth_grammar_write(writer->grammar, order) - order));
}

/* Leaves the folded column in writer->one; false: it does not fold. */
static bool fold(struct fth_column_writer *writer, const struct fth_listed *listed, int64_t slope)
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
static bool fold_stairs(struct fth_column_writer *writer, const struct fth_listed *listed,
                        int64_t slope)
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
static void keep_better(struct fth_column_writer *writer)
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

void fth_shape_column_put(struct fth_column_writer *writer, const struct fth_listed *listed,
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
    unsigned count = writer->best.length > LEAST_FOLDED ? list_slopes(lines, slopes) : 0;
    while (count-- > 0) {
        if (fold(writer, listed, slopes[count]))
            keep_better(writer);
        if (fold_stairs(writer, listed, slopes[count]))
            keep_better(writer);
    }
    fth_bytes_put(to, writer->best.data, writer->best.length);
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
        status = fth_fail(error, "it is truncated");
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

int fth_shape_column_read(struct fth_read_column *column, struct fth_view *view, uint32_t members,
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
    return view->failed ? fth_fail(error, "it is truncated") : 0;
}

int64_t fth_shape_column_at(const struct fth_read_column *column, uint32_t thing, uint32_t member)
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

void fth_shape_column_free(struct fth_read_column *column)
{
    free(column->lines);
    fth_rules_free(column->rules);
    *column = (struct fth_read_column){0};
}
