/* From the rows with their figures to what differs. */
#include "diff/diff.h"
#include "diff/mann_whitney.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* What differs by less is small: numbers that a program prints have more digits, or fewer. */
enum { LEAST_BYTES = 64, LEAST_UNSTEADY_CALLS = 100, LEAST_UNSTEADY_BYTES = 1 << 16 };

/* Values that were tested, to be judged together. */
struct tested {
    size_t count;
    struct fth_diff_value **values;
};

static void add_tested(struct tested *tested, struct fth_diff_value *value)
{
    if (value->p < 0)
        return;
    FTH_GROW(tested->values, tested->count);
    tested->values[tested->count++] = value;
}

/* Does all of a run depend on timing, and may what another one has more or less be of that, too?
 * Then their sums are compared. */
static bool is_all(const int64_t *all, const int64_t *unsteady, size_t count)
{
    int64_t least = INT64_MAX, most = 0, most_unsteady = 0;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        least = all[i] < least ? all[i] : least;
        most = all[i] > most ? all[i] : most;
        most_unsteady = unsteady[i] > most_unsteady ? unsteady[i] : most_unsteady;
        any = any || (all[i] && unsteady[i] >= all[i]);
    }
    return any && most - least <= most_unsteady;
}

static int64_t *steady_of(const int64_t *all, const int64_t *unsteady, size_t count)
{
    int64_t *steady = fth_new(count, sizeof *steady);
    for (size_t i = 0; i < count; i++)
        steady[i] = all[i] > unsteady[i] ? all[i] - unsteady[i] : 0;
    return steady;
}

/* Calls, or bytes, of which none depends on timing differ if their number does. The others are
 * judged by themselves. `floors`: of both kinds, what differs by less is small, or noise. */
static void judge_number(const struct fth_diff *diff, struct fth_diff_row *row,
                         enum fth_diff_quantity quantity, enum fth_diff_quantity of_unsteady,
                         const int64_t floors[2])
{
    size_t count = fth_diff_run_count(diff);
    const int64_t *all = fth_diff_figures(diff, row, quantity),
                  *unsteady = fth_diff_figures(diff, row, of_unsteady);
    struct fth_diff_value *value = &row->values[quantity], steadily, unsteadily;
    int64_t *steady = steady_of(all, unsteady, count);
    fth_diff_judge_count(diff, all, floors[0], value);
    fth_diff_judge_count(diff, steady, floors[0], &steadily);
    fth_diff_judge_timed(diff, is_all(all, unsteady, count) ? all : unsteady, floors[1],
                         &unsteadily);
    if (is_all(all, unsteady, count))
        steadily = unsteadily;
    const struct fth_diff_value *of =
        steadily.verdict >= unsteadily.verdict ? &steadily : &unsteadily;
    value->verdict = of->verdict;
    value->p = of->p;
    value->large = of->large;
    free(steady);
}

static int64_t whole_of(const struct fth_diff *diff)
{
    int64_t whole = 0;
    for (size_t i = 0; i < fth_diff_run_count(diff); i++)
        whole = diff->runs[i].whole > whole ? diff->runs[i].whole : whole;
    return whole;
}

static void judge_row(const struct fth_diff *diff, struct fth_diff_row *row, int64_t least_time,
                      struct tested *tested)
{
    const int64_t of_calls[] = {0, LEAST_UNSTEADY_CALLS},
                  of_bytes[] = {diff->settings->least > 0 ? LEAST_BYTES : 0, LEAST_UNSTEADY_BYTES};
    judge_number(diff, row, FTH_DIFF_CALLS, FTH_DIFF_UNSTEADY, of_calls);
    judge_number(diff, row, FTH_DIFF_READ, FTH_DIFF_UNSTEADY_READ, of_bytes);
    judge_number(diff, row, FTH_DIFF_WRITTEN, FTH_DIFF_UNSTEADY_WRITTEN, of_bytes);
    fth_diff_judge_timed(diff, fth_diff_figures(diff, row, FTH_DIFF_TIME), least_time,
                         &row->values[FTH_DIFF_TIME]);
    for (size_t i = 0; i < FTH_DIFF_SHOWN; i++)
        add_tested(tested, &row->values[i]);
}

static bool is_steadily(const struct fth_diff *diff, const struct fth_diff_row *row, int side)
{
    return row->there[side] == diff->counts[side] && !row->there[!side];
}

static bool is_used(const struct fth_diff *diff, const struct fth_diff_row *row)
{
    static const enum fth_diff_quantity of_use[] = {FTH_DIFF_READ, FTH_DIFF_WRITTEN,
                                                    FTH_DIFF_OPENS};
    for (size_t i = 0; i < sizeof of_use / sizeof *of_use; i++)
        for (size_t run = 0; run < fth_diff_run_count(diff); run++)
            if (fth_diff_figures(diff, row, of_use[i])[run])
                return true;
    return false;
}

/* Does only timing tell whether it is there? Of few runs nobody knows more. */
static bool may_be_timing(const struct fth_diff *diff, const struct fth_diff_row *row)
{
    const int64_t *all = fth_diff_figures(diff, row, FTH_DIFF_CALLS),
                  *unsteady = fth_diff_figures(diff, row, FTH_DIFF_UNSTEADY);
    for (size_t i = 0; i < fth_diff_run_count(diff); i++)
        if (all[i] > unsteady[i] || all[i] >= LEAST_UNSTEADY_CALLS)
            return false;
    return !diff->tests;
}

/* A file is new if all runs of B use it, and none of A. Which files are looked up depends on who
 * comes first; their calls are those of functions, too. */
static void judge_presence(const struct fth_diff *diff, enum fth_diff_by by,
                           struct fth_diff_row *row)
{
    if (row->presence == FTH_DIFF_RENAMED)
        row->differs = true;
    else if (is_steadily(diff, row, 1))
        row->presence = FTH_DIFF_NEW;
    else if (is_steadily(diff, row, 0))
        row->presence = FTH_DIFF_GONE;
    else
        return;
    row->differs =
        !may_be_timing(diff, row) && (by != FTH_DIFF_FILES || row->differs || is_used(diff, row));
}

static bool is_present(const struct fth_diff_row *row)
{
    return row->presence == FTH_DIFF_IN_BOTH || row->presence == FTH_DIFF_RENAMED;
}

static void sum_up(struct fth_diff_part *part, struct fth_diff_row *row,
                   const struct fth_diff_value *elapsed)
{
    bool small = false;
    for (size_t i = 0; i < FTH_DIFF_SHOWN; i++) {
        row->differs =
            row->differs || (is_present(row) && row->values[i].verdict == FTH_DIFF_DIFFERS);
        /* Who waits, and where, depends on who comes first: it is worth a word if the run as a
         * whole took longer, or less long. */
        if (row->values[i].verdict == FTH_DIFF_MAYBE && elapsed->verdict != FTH_DIFF_MAYBE)
            row->values[i].verdict = FTH_DIFF_NOISE;
        small = small || row->values[i].verdict == FTH_DIFF_SMALL;
    }
    part->differing += row->differs && !row->quiet;
    part->small += !row->differs && small && !row->quiet;
}

/* How much it differs: the largest share of any quantity of the table. */
static double weight_of(const struct fth_diff_row *row, const double *wholes)
{
    double weight = 0;
    for (size_t i = 0; i < FTH_DIFF_SHOWN; i++)
        if (wholes[i] > 0 && row->values[i].verdict >= FTH_DIFF_MAYBE)
            weight =
                fmax(weight, fabs((double)row->values[i].b - (double)row->values[i].a) / wholes[i]);
    return weight;
}

struct weighed {
    double weight;
    struct fth_diff_row row;
};

static int by_weight(const void *one, const void *other)
{
    const struct weighed *a = one, *b = other;
    if (a->row.differs != b->row.differs)
        return a->row.differs ? -1 : 1;
    if (a->weight != b->weight)
        return a->weight < b->weight ? 1 : -1;
    if (a->row.world != b->row.world)
        return a->row.world < b->row.world ? -1 : 1;
    if (a->row.rank != b->row.rank)
        return a->row.rank < b->row.rank ? -1 : 1;
    int names = strcmp(a->row.name, b->row.name);
    return names || !a->row.layer || !b->row.layer ? names : strcmp(a->row.layer, b->row.layer);
}

static void sort(struct fth_diff_part *part)
{
    double wholes[FTH_DIFF_SHOWN] = {0};
    struct weighed *rows = fth_new(part->count + 1, sizeof *rows);
    for (size_t row = 0; row < part->count; row++)
        for (size_t i = 0; i < FTH_DIFF_SHOWN; i++)
            wholes[i] +=
                fmax((double)part->rows[row].values[i].a, (double)part->rows[row].values[i].b);
    for (size_t row = 0; row < part->count; row++)
        rows[row] = (struct weighed){weight_of(&part->rows[row], wholes), part->rows[row]};
    qsort(rows, part->count, sizeof *rows, by_weight);
    for (size_t row = 0; row < part->count; row++)
        part->rows[row] = rows[row].row;
    free(rows);
}

/* A rank can only have as much time as one of them has. */
static int64_t least_time_of(const struct fth_diff *diff, enum fth_diff_by by)
{
    size_t rows = diff->parts[FTH_DIFF_RANKS].count;
    int64_t whole = whole_of(diff);
    return fth_diff_least_time(diff, by == FTH_DIFF_RANKS && rows ? whole / (int64_t)rows : whole);
}

/* Does it differ, by the test? */
static bool is_found(const struct fth_diff_value *value)
{
    return value->verdict == FTH_DIFF_DIFFERS && value->p >= 0;
}

static bool shows_p(const struct fth_diff_row *row)
{
    for (size_t i = 0; is_present(row) && !row->quiet && i < FTH_DIFF_SHOWN; i++)
        if (is_found(&row->values[i]))
            return true;
    return false;
}

static void judge_all(struct fth_diff *diff)
{
    struct tested tested = {0};
    size_t count = fth_diff_run_count(diff);
    int64_t *elapsed = fth_new(count, sizeof *elapsed), longest = 0;
    for (size_t i = 0; i < count; i++) {
        elapsed[i] = diff->runs[i].elapsed;
        longest = elapsed[i] > longest ? elapsed[i] : longest;
    }
    fth_diff_judge_timed(diff, elapsed, fth_diff_least_time(diff, longest), &diff->elapsed);
    add_tested(&tested, &diff->elapsed);
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++)
        for (size_t row = 0; row < diff->parts[by].count; row++)
            judge_row(diff, &diff->parts[by].rows[row], least_time_of(diff, by), &tested);
    fth_diff_judge_together(diff, tested.values, tested.count);
    diff->has_p = is_found(&diff->elapsed);
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++) {
        struct fth_diff_part *part = &diff->parts[by];
        for (size_t row = 0; row < part->count; row++) {
            judge_presence(diff, by, &part->rows[row]);
            sum_up(part, &part->rows[row], &diff->elapsed);
            diff->has_p = diff->has_p || shows_p(&part->rows[row]);
        }
        sort(part);
        diff->differs = diff->differs || part->differing;
    }
    free(tested.values);
    free(elapsed);
}

void fth_diff_compare(struct fth_diff *diff, const struct fth_diff_settings *settings,
                      const struct fth_diff_run *runs, size_t a_count, size_t b_count)
{
    *diff = (struct fth_diff){.settings = settings, .runs = runs, .counts = {a_count, b_count}};
    diff->tests = fth_diff_mann_whitney_least(a_count, b_count) < settings->level;
    fth_diff_gather(diff);
    fth_diff_match_files(diff);
    fth_diff_compare_calls(diff);
    judge_all(diff);
    fth_diff_find_findings(diff);
    fth_diff_find_configuration(diff);
    diff->differs = diff->differs || diff->finding_count || diff->setting_count ||
                    diff->calls.only[0] || diff->calls.only[1] ||
                    diff->elapsed.verdict == FTH_DIFF_DIFFERS;
}

void fth_diff_free(struct fth_diff *diff)
{
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++) {
        for (size_t row = 0; row < diff->parts[by].count; row++) {
            free(diff->parts[by].rows[row].name);
            free(diff->parts[by].rows[row].was);
            free(diff->parts[by].rows[row].figures);
        }
        free(diff->parts[by].rows);
    }
    for (uint32_t i = 0; i < fth_keyed_count(&diff->names); i++)
        free(*(char **)fth_keyed_item(&diff->names, i));
    fth_keyed_free(&diff->names);
    free(diff->calls.list);
    free(diff->findings);
    free(diff->configuration);
    free(diff->other_program[0]);
    free(diff->other_program[1]);
}
