/* A limit is compared with the increase from A to B, of medians where there are several runs: in
 * percent of A, or as it is. A name is that of a layer, of a function, of a rank ("rank 3"), of a
 * program, or a pattern of files, in this order. */
#include "diff/fail_limits.h"

#include "base/memory.h"
#include "base/saturating.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- from a text ---- */

struct reader {
    const char *text;
    size_t at;
    struct fth_error **error;
};

static int fail(const struct reader *reader, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail(const struct reader *reader, size_t at, const char *format, ...)
{
    char why[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return fth_fail(reader->error, "'%s', column %zu: %s", reader->text, at + 1, why);
}

static void skip_space(struct reader *reader)
{
    while (isspace((unsigned char)reader->text[reader->at]))
        reader->at++;
}

static size_t word_length(const struct reader *reader)
{
    size_t length = 0;
    while (isalpha((unsigned char)reader->text[reader->at + length]))
        length++;
    return length;
}

static bool is_word(const struct reader *reader, size_t length, const char *word)
{
    return strlen(word) == length && !strncasecmp(reader->text + reader->at, word, length);
}

static const struct {
    const char *word;
    enum fth_diff_measure measure;
} measures[] = {
    {"calls", FTH_DIFF_OF_CALLS},       {"read", FTH_DIFF_OF_READ},
    {"written", FTH_DIFF_OF_WRITTEN},   {"time", FTH_DIFF_OF_TIME},
    {"bytes", FTH_DIFF_OF_BYTES},       {"elapsed", FTH_DIFF_OF_ELAPSED},
    {"findings", FTH_DIFF_OF_FINDINGS},
};

static int read_measure(struct reader *reader, struct fth_diff_limit *limit)
{
    skip_space(reader);
    size_t length = word_length(reader);
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (is_word(reader, length, measures[i].word)) {
            limit->measure = measures[i].measure;
            reader->at += length;
            return 0;
        }
    return fail(reader, reader->at,
                "time(X), calls(X), bytes(X), read(X), written(X), elapsed or findings is expected "
                "here");
}

static int read_name(struct reader *reader, struct fth_diff_limit *limit)
{
    bool wanted = limit->measure != FTH_DIFF_OF_ELAPSED && limit->measure != FTH_DIFF_OF_FINDINGS;
    skip_space(reader);
    size_t at = reader->at;
    if (reader->text[at] != '(')
        return wanted ? fail(reader, at,
                             "'(' is expected here, and the name of what is compared: "
                             "time(posix)")
                      : 0;
    if (!wanted)
        return fail(reader, at, "elapsed and findings are those of the run: no name is expected");
    /* Names of files may contain brackets: the last one is the end. */
    const char *end = strrchr(reader->text, ')');
    if (!end)
        return fail(reader, at, "this bracket is not closed");
    const char *begin = reader->text + at + 1;
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    size_t length = (size_t)(end - begin);
    while (length && isspace((unsigned char)begin[length - 1]))
        length--;
    if (!length)
        return fail(reader, at + 1, "a layer, a function, a file or a rank is expected here");
    limit->name = fth_text_part(begin, length);
    reader->at = (size_t)(end - reader->text) + 1;
    return 0;
}

static int read_comparison(struct reader *reader, struct fth_diff_limit *limit)
{
    skip_space(reader);
    char sign = reader->text[reader->at];
    if (sign != '<' && sign != '>')
        return fail(reader, reader->at, "'>', '>=', '<' or '<=' is expected here");
    bool equal = reader->text[++reader->at] == '=';
    reader->at += equal;
    limit->comparison = sign == '>' ? (equal ? FTH_DIFF_FROM : FTH_DIFF_ABOVE)
                                    : (equal ? FTH_DIFF_UP_TO : FTH_DIFF_BELOW);
    return 0;
}

enum unit { COUNT, BYTES, TIME };
static enum unit unit_of(enum fth_diff_measure measure)
{
    return measure == FTH_DIFF_OF_TIME || measure == FTH_DIFF_OF_ELAPSED     ? TIME
           : measure == FTH_DIFF_OF_CALLS || measure == FTH_DIFF_OF_FINDINGS ? COUNT
                                                                             : BYTES;
}

static int read_unit(struct reader *reader, struct fth_diff_limit *limit)
{
    static const struct {
        const char *word;
        enum unit unit;
        double scale;
    } units[] = {{"ns", TIME, 1},        {"us", TIME, 1e3},      {"ms", TIME, 1e6},
                 {"s", TIME, 1e9},       {"min", TIME, 60e9},    {"B", BYTES, 1},
                 {"K", BYTES, 0x1p10},   {"KiB", BYTES, 0x1p10}, {"M", BYTES, 0x1p20},
                 {"MiB", BYTES, 0x1p20}, {"G", BYTES, 0x1p30},   {"GiB", BYTES, 0x1p30},
                 {"T", BYTES, 0x1p40},   {"TiB", BYTES, 0x1p40}};
    static const char *const expected[] = {[COUNT] = "only a number, or a number with %, is "
                                                     "expected here",
                                           [BYTES] = "the units here are B, K, M, G, T and %",
                                           [TIME] = "the units here are ns, us, ms, s, min and %"};
    enum unit unit = unit_of(limit->measure);
    skip_space(reader);
    size_t length = word_length(reader);
    if (reader->text[reader->at] == '%') {
        if (limit->measure == FTH_DIFF_OF_FINDINGS)
            return fail(reader, reader->at, "findings are counted: no percentage is expected");
        limit->percent = true;
        reader->at++;
        return 0;
    }
    if (!length && unit == TIME && limit->number != 0)
        return fail(reader, reader->at, "a unit is expected here: ns, us, ms, s, min or %%");
    for (size_t i = 0; length && i < sizeof units / sizeof *units; i++)
        if (units[i].unit == unit && is_word(reader, length, units[i].word)) {
            limit->number *= units[i].scale;
            reader->at += length;
            return 0;
        }
    return length ? fail(reader, reader->at, "%s", expected[unit]) : 0;
}

static int read_number(struct reader *reader, struct fth_diff_limit *limit)
{
    char copy[40];
    skip_space(reader);
    const char *begin = reader->text + reader->at;
    bool minus = *begin == '-';
    size_t length = minus + strspn(begin + minus, "0123456789.");
    char *end = copy;
    if (length < sizeof copy) {
        memcpy(copy, begin, length);
        copy[length] = 0;
        limit->number = strtod(copy, &end);
    }
    if (end == copy || *end)
        return fail(reader, reader->at, "a number is expected here");
    reader->at += length;
    if (read_unit(reader, limit))
        return -1;
    skip_space(reader);
    return reader->text[reader->at] ? fail(reader, reader->at,
                                           "the end is expected here; --fail-on may be given "
                                           "several times")
                                    : 0;
}

int fth_diff_limit_parse(const char *text, struct fth_diff_limit *limit, struct fth_error **error)
{
    struct reader reader = {text, 0, error};
    *limit = (struct fth_diff_limit){.text = text};
    return read_measure(&reader, limit) || read_name(&reader, limit) ||
                   read_comparison(&reader, limit) || read_number(&reader, limit)
               ? -1
               : 0;
}

void fth_diff_limit_free(struct fth_diff_limit *limit)
{
    free(limit->name);
}

/* ---- of a comparison ---- */

static bool is_of_rank(const struct fth_diff_row *row, const char *name)
{
    char text[64];
    snprintf(text, sizeof text, row->world > 0 ? "rank %2$lld.%1$lld" : "rank %1$lld",
             (long long)row->rank, (long long)row->world);
    return row->rank != FTH_NO_RANK && !strcmp(text, name);
}

static bool is_named(const struct fth_diff_row *row, enum fth_diff_by by, const char *name)
{
    if (by == FTH_DIFF_RANKS && row->rank != FTH_NO_RANK)
        return is_of_rank(row, name);
    if (by == FTH_DIFF_FILES)
        return fnmatch(name, row->name, 0) == 0 || (row->was && fnmatch(name, row->was, 0) == 0);
    return !strcmp(row->name, name);
}

static void add_row(const struct fth_diff *diff, const struct fth_diff_row *row,
                    enum fth_diff_quantity quantity, int64_t *sums)
{
    const int64_t *figures = fth_diff_figures(diff, row, quantity);
    for (size_t run = 0; run < fth_diff_run_count(diff); run++)
        FTH_ADD_SATURATING(sums[run], figures[run]);
}

/* Adds up what has the name, by run. False: nothing has. */
static bool add_up(const struct fth_diff *diff, const struct fth_diff_limit *limit, int64_t *sums)
{
    static const enum fth_diff_by order[] = {FTH_DIFF_LAYERS, FTH_DIFF_FUNCTIONS, FTH_DIFF_RANKS,
                                             FTH_DIFF_FILES};
    bool known = false;
    for (size_t i = 0; i < sizeof order / sizeof *order && !known; i++) {
        const struct fth_diff_part *part = &diff->parts[order[i]];
        for (size_t k = 0; k < part->count; k++) {
            const struct fth_diff_row *row = &part->rows[k];
            if (!is_named(row, order[i], limit->name))
                continue;
            known = true;
            if (limit->measure != FTH_DIFF_OF_BYTES)
                add_row(diff, row, (enum fth_diff_quantity)limit->measure, sums);
            else
                for (enum fth_diff_quantity of = FTH_DIFF_READ; of <= FTH_DIFF_WRITTEN; of++)
                    add_row(diff, row, of, sums);
        }
    }
    return known;
}

static bool is_beyond(const struct fth_diff_limit *limit, int64_t a, int64_t b)
{
    double increase = (double)b - (double)a;
    if (limit->percent)
        increase = a ? 100 * increase / fabs((double)a) : increase > 0 ? INFINITY : 0;
    switch (limit->comparison) {
    case FTH_DIFF_ABOVE:
        return increase > limit->number;
    case FTH_DIFF_FROM:
        return increase >= limit->number;
    case FTH_DIFF_BELOW:
        return increase < limit->number;
    default:
        return increase <= limit->number;
    }
}

static int64_t count_new_findings(const struct fth_diff *diff)
{
    int64_t count = 0;
    for (size_t i = 0; i < diff->finding_count; i++)
        count += diff->findings[i].came;
    return count;
}

/* What has no noise is the same in all runs of a side; of all else the test must say so. */
struct fth_diff_outcome fth_diff_limit_check(const struct fth_diff_limit *limit,
                                             const struct fth_diff *diff)
{
    struct fth_diff_outcome outcome = {.known = true, .p = FTH_DIFF_NO_TEST};
    if (limit->measure == FTH_DIFF_OF_FINDINGS) {
        outcome.b = count_new_findings(diff);
        outcome.holds = is_beyond(limit, 0, outcome.b);
        return outcome;
    }
    struct fth_diff_value value;
    int64_t *sums = fth_new(fth_diff_run_count(diff), sizeof *sums);
    if (limit->measure == FTH_DIFF_OF_ELAPSED)
        for (size_t run = 0; run < fth_diff_run_count(diff); run++)
            sums[run] = diff->runs[run].elapsed;
    else
        outcome.known = add_up(diff, limit, sums);
    fth_diff_judge_count(diff, sums, 0, &value);
    free(sums);
    outcome.a = value.a;
    outcome.b = value.b;
    outcome.p = value.p;
    bool beyond = is_beyond(limit, value.a, value.b);
    outcome.noise = beyond && value.p >= diff->settings->level;
    outcome.holds = beyond && !outcome.noise;
    return outcome;
}
