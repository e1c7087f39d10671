/* Rows of a comparison, as people read them and as programs do. */
#include "diff/diff_tables.h"

#include "base/memory.h"
#include "base/phrase.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *fth_diff_verdict_word(enum fth_diff_verdict verdict)
{
    static const char *const words[] = {[FTH_DIFF_SAME] = "same",
                                        [FTH_DIFF_NOISE] = "noise",
                                        [FTH_DIFF_SMALL] = "small",
                                        [FTH_DIFF_MAYBE] = "maybe",
                                        [FTH_DIFF_DIFFERS] = "differs"};
    return words[verdict];
}

char *fth_diff_change(int64_t a, int64_t b)
{
    double percent = a ? 100 * ((double)b - (double)a) / (double)a : 0;
    if (!a || a == b)
        return fth_text_copy("");
    if (percent >= 100)
        return fth_text_format("x %s", fth_phrase_ratio((double)b / (double)a).text);
    return fth_text_format("%s%s", percent < 0 ? "-" : "+", fth_phrase_percent(fabs(percent)).text);
}

static struct fth_table *new_table(const struct fth_shape *shape)
{
    struct fth_table *table = fth_table_new(shape);
    if (!table)
        fth_out_of_memory();
    return table;
}

/* ---- for programs ---- */

/* Behind the columns that say what a row is about: its presence, whether it differs, and four for
 * each figure: a, b, p, verdict. */
#define FIGURE(name, title, unit)                                                                  \
    {name "_a", title " A", unit, FTH_SHOW_ALWAYS},                                                \
        {name "_b", title " B", unit, FTH_SHOW_ALWAYS},                                            \
        {name "_p", "p", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},                                         \
    {                                                                                              \
        name "_verdict", "verdict", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS                                 \
    }
#define BEHIND                                                                                     \
    {"presence", "in", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},                                            \
        {"differs", "differs", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},                                    \
        FIGURE("calls", "calls", FTH_UNIT_COUNT), FIGURE("bytes_read", "read", FTH_UNIT_BYTES),    \
        FIGURE("bytes_written", "written", FTH_UNIT_BYTES), FIGURE("time", "time", FTH_UNIT_TIME)
enum { BEHIND_COLUMNS = 2 + 4 * FTH_DIFF_SHOWN };

static const struct fth_column layer_columns[] = {
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS}, BEHIND};
static const struct fth_column function_columns[] = {
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    BEHIND};
static const struct fth_column file_columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"was", "was", FTH_UNIT_PATH, FTH_SHOW_UNLESS_NULL},
    BEHIND};
static const struct fth_column rank_columns[] = {
    {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    BEHIND};
static const struct fth_shape shapes[FTH_DIFF_PARTS] = {
    {"layers", "Layers", layer_columns, 1 + BEHIND_COLUMNS, 0},
    {"functions", "Functions", function_columns, 2 + BEHIND_COLUMNS, 0},
    {"files", "Files", file_columns, 2 + BEHIND_COLUMNS, 0},
    {"ranks", "Ranks", rank_columns, 3 + BEHIND_COLUMNS, 0},
};

static const char *const presences[] = {[FTH_DIFF_IN_BOTH] = "both",
                                        [FTH_DIFF_NEW] = "new",
                                        [FTH_DIFF_GONE] = "gone",
                                        [FTH_DIFF_RENAMED] = "renamed"};

static void set_value(struct fth_table *table, size_t row, size_t column,
                      const struct fth_diff_value *value)
{
    fth_table_set(table, row, column, fth_cell_integer(value->a));
    fth_table_set(table, row, column + 1, fth_cell_integer(value->b));
    if (value->p >= 0)
        fth_table_set(table, row, column + 2, fth_cell_real(value->p));
    fth_table_set(table, row, column + 3, fth_cell_text(fth_diff_verdict_word(value->verdict)));
}

/* Returns how many columns that took. */
static size_t set_subject(struct fth_table *table, size_t row, enum fth_diff_by by,
                          const struct fth_diff_row *from)
{
    fth_table_set(table, row, 0, fth_cell_text(from->name));
    if (by == FTH_DIFF_FUNCTIONS)
        fth_table_set(table, row, 1, fth_cell_text(from->layer));
    if (by == FTH_DIFF_FILES)
        fth_table_set(table, row, 1, fth_cell_text(from->was));
    if (by == FTH_DIFF_RANKS && from->rank != FTH_NO_RANK) {
        fth_table_set(table, row, 1, fth_cell_integer(from->world));
        fth_table_set(table, row, 2, fth_cell_integer(from->rank));
    }
    return shapes[by].column_count - BEHIND_COLUMNS;
}

struct fth_table *fth_diff_table(const struct fth_diff *diff, enum fth_diff_by by)
{
    struct fth_table *table = new_table(&shapes[by]);
    for (size_t i = 0; i < diff->parts[by].count; i++) {
        const struct fth_diff_row *from = &diff->parts[by].rows[i];
        size_t row = fth_table_add_row(table), column = set_subject(table, row, by, from);
        fth_table_set(table, row, column++, fth_cell_text(presences[from->presence]));
        fth_table_set(table, row, column++, fth_cell_text(from->differs ? "yes" : "no"));
        for (size_t k = 0; k < FTH_DIFF_SHOWN; k++)
            set_value(table, row, column + 4 * k, &from->values[k]);
    }
    return table;
}

/* ---- for people ---- */

enum narrow { N_NAME, N_FIGURE, N_A, N_B, N_CHANGE, N_P, N_COLUMNS };
#define NARROW_COLUMNS(title, unit)                                                                \
    {                                                                                              \
        {"name", title, unit, FTH_SHOW_ALWAYS}, {"figure", "", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},    \
            {"a", "A", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},                                            \
            {"b", "B", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},                                            \
            {"change", "change", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},                             \
            {"p", "p", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},                                       \
    }
static const struct fth_column layer_changes[] = NARROW_COLUMNS("layer", FTH_UNIT_TEXT);
static const struct fth_column function_changes[] = NARROW_COLUMNS("function", FTH_UNIT_TEXT);
static const struct fth_column file_changes[] = NARROW_COLUMNS("file", FTH_UNIT_PATH);
static const struct fth_column maybe_columns[] =
    NARROW_COLUMNS("layer, function, file, process", FTH_UNIT_PATH);
static const struct fth_column rank_changes[] = NARROW_COLUMNS("process", FTH_UNIT_TEXT);
static const struct fth_shape changes[FTH_DIFF_PARTS] = {
    {"layers", "Layers", layer_changes, N_COLUMNS, 0},
    {"functions", "Functions", function_changes, N_COLUMNS, 0},
    {"files", "Files", file_changes, N_COLUMNS, 0},
    {"ranks", "Processes", rank_changes, N_COLUMNS, 0},
};

static struct fth_phrase phrase_of(enum fth_diff_quantity quantity, int64_t figure)
{
    return quantity == FTH_DIFF_CALLS  ? fth_phrase_count(figure)
           : quantity == FTH_DIFF_TIME ? fth_phrase_duration(figure)
                                       : fth_phrase_bytes((uint64_t)figure);
}

static const char *const figures[] = {"calls", "read", "written", "time"};

/* "rank 3" */
static char *name_of(const struct fth_diff_row *row)
{
    if (row->rank == FTH_NO_RANK)
        return fth_text_copy(row->name);
    return row->world
               ? fth_text_format("rank %lld.%lld", (long long)row->world, (long long)row->rank)
               : fth_text_format("rank %lld", (long long)row->rank);
}

static size_t add_line(struct fth_table *table, const char *name, const char *figure, const char *a,
                       const char *b)
{
    size_t line = fth_table_add_row(table);
    fth_table_set(table, line, N_NAME, fth_cell_text(name));
    fth_table_set(table, line, N_FIGURE, fth_cell_text(figure));
    fth_table_set(table, line, N_A, fth_cell_text(a));
    fth_table_set(table, line, N_B, fth_cell_text(b));
    return line;
}

static void add_value(struct fth_table *table, const char *name, enum fth_diff_quantity quantity,
                      const struct fth_diff_value *value)
{
    struct fth_phrase a = phrase_of(quantity, value->a), b = phrase_of(quantity, value->b);
    size_t line = add_line(table, name, figures[quantity], a.text, b.text);
    char *change = fth_diff_change(value->a, value->b), p[24];
    if (*change)
        fth_table_set(table, line, N_CHANGE, fth_cell_text(change));
    snprintf(p, sizeof p, "%.2g", value->p);
    if (value->p >= 0)
        fth_table_set(table, line, N_P, fth_cell_text(p));
    free(change);
}

/* "12 calls, 4.00 MiB written, 3.10 ms" */
static char *use_of(const struct fth_diff_row *row, bool of_b)
{
    char *use = fth_text_copy("");
    for (enum fth_diff_quantity i = 0; i < FTH_DIFF_SHOWN; i++) {
        int64_t figure = of_b ? row->values[i].b : row->values[i].a;
        if (!figure)
            continue;
        char *longer = fth_text_format(
            "%s%s%s%s%s", use, *use ? ", " : "",
            i == FTH_DIFF_CALLS ? fth_phrase_several((uint64_t)figure, "call", "calls").text
                                : phrase_of(i, figure).text,
            i == FTH_DIFF_CALLS || i == FTH_DIFF_TIME ? "" : " ",
            i == FTH_DIFF_CALLS || i == FTH_DIFF_TIME ? "" : figures[i]);
        free(use);
        use = longer;
    }
    return use;
}

static void add_presence(struct fth_table *table, const char *name, const struct fth_diff_row *row)
{
    char *a = use_of(row, false), *b = use_of(row, true);
    if (row->presence == FTH_DIFF_NEW)
        add_line(table, name, "new", "-", b);
    else if (row->presence == FTH_DIFF_GONE)
        add_line(table, name, "gone", a, "-");
    else if (row->presence == FTH_DIFF_RENAMED)
        add_line(table, name, "renamed", row->was, row->name);
    free(a);
    free(b);
}

struct fth_table *fth_diff_maybes(const struct fth_diff *diff)
{
    static const struct fth_shape shape = {"maybe", "What may differ", maybe_columns, N_COLUMNS, 0};
    struct fth_table *table = new_table(&shape);
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++)
        for (size_t i = 0; i < diff->parts[by].count; i++) {
            const struct fth_diff_row *row = &diff->parts[by].rows[i];
            char *name = name_of(row);
            for (enum fth_diff_quantity k = 0; !row->quiet && k < FTH_DIFF_SHOWN; k++)
                if (row->values[k].verdict == FTH_DIFF_MAYBE)
                    add_value(table, name, k, &row->values[k]);
            free(name);
        }
    return table;
}

struct fth_table *fth_diff_changes(const struct fth_diff *diff, enum fth_diff_by by, bool all)
{
    struct fth_table *table = new_table(&changes[by]);
    for (size_t i = 0; i < diff->parts[by].count; i++) {
        const struct fth_diff_row *row = &diff->parts[by].rows[i];
        if (!row->differs || (row->quiet && !all))
            continue;
        char *name = name_of(row);
        add_presence(table, name, row);
        bool there = row->presence == FTH_DIFF_IN_BOTH || row->presence == FTH_DIFF_RENAMED;
        for (enum fth_diff_quantity k = 0; there && k < FTH_DIFF_SHOWN; k++)
            if (row->values[k].verdict == FTH_DIFF_DIFFERS)
                add_value(table, name, k, &row->values[k]);
        free(name);
    }
    return table;
}

static const struct fth_column setting_columns[] = {
    {"setting", "setting", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"a", "A", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"b", "B", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape setting_shape = {"configuration", "Configuration", setting_columns, 3,
                                               0};

struct fth_table *fth_diff_configuration(const struct fth_diff *diff)
{
    struct fth_table *table = new_table(&setting_shape);
    for (size_t i = 0; i < diff->setting_count; i++) {
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, 0, fth_cell_text(diff->configuration[i].name));
        fth_table_set(table, row, 1, fth_cell_text(diff->configuration[i].a));
        fth_table_set(table, row, 2, fth_cell_text(diff->configuration[i].b));
    }
    return table;
}

static const struct fth_column finding_columns[] = {
    {"change", "", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"kind", "kind", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"title", "finding", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"text", "text", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"severity", "time", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape finding_shape = {"findings", "Findings", finding_columns, 5, 0};

struct fth_table *fth_diff_findings(const struct fth_diff *diff)
{
    struct fth_table *table = new_table(&finding_shape);
    for (size_t i = 0; i < diff->finding_count; i++) {
        const struct fth_finding *finding = diff->findings[i].finding;
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, 0, fth_cell_text(diff->findings[i].came ? "came" : "went"));
        fth_table_set(table, row, 1, fth_cell_text(finding->kind));
        fth_table_set(table, row, 2, fth_cell_text(finding->title));
        fth_table_set(table, row, 3, fth_cell_text(finding->text));
        fth_table_set(table, row, 4, fth_cell_integer(finding->severity));
    }
    return table;
}
