/* Numbers without a rule: as runs in a table, or drawn from their histogram. */
#include "proxy/writing.h"

#include "base/memory.h"
#include "trace/record/builtin.h"

#include <inttypes.h>

enum { MOST_SHARES = 32 };

static bool is_shifted(const struct fth_number_series *one, const struct fth_number_series *other,
                       int64_t *by)
{
    if (one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++) {
        const struct fth_number_run *a = &one->runs[i], *b = &other->runs[i];
        int64_t shift = (int64_t)((uint64_t)b->start - (uint64_t)a->start);
        if (a->stride != b->stride || a->count != b->count || (i && shift != *by))
            return false;
        *by = shift;
    }
    return true;
}

static void write_series(struct fth_writing *writing, const struct fth_number_series *series,
                         size_t number, const char *of)
{
    FILE *to = writing->tables.file;
    fprintf(to, "static const struct run runs_%zu%s[] = {", number, of);
    for (size_t i = 0; i < series->count; i++)
        fprintf(to, "%s{%" PRId64 ", %" PRId64 ", %" PRIu64 "}",
                !i           ? ""
                : i % 4 == 0 ? ",\n    "
                             : ", ",
                series->runs[i].start, series->runs[i].stride, series->runs[i].count);
    fprintf(to, "%s{0, 0, 0}};\n", series->count ? ", " : "");
}

/* Series of processes that differ otherwise than by a shift: one each. */
static char *series_by_rank(struct fth_writing *writing, const struct fth_body_value *value)
{
    const struct fth_body *body = writing->body;
    size_t number = ++writing->tables_made;
    size_t *of_rank = fth_new((size_t)writing->rank_count, sizeof *of_rank);
    char of[24];
    for (size_t m = 0; m < body->member_count; m++) {
        if (!fth_proxy_is_written_for(writing, m))
            continue;
        snprintf(of, sizeof of, "_%zu", m);
        write_series(writing, &value->series[m], number, of);
        of_rank[body->members[m]->rank] = m;
    }
    fprintf(writing->tables.file, "static %sstruct series series_%zu[] = {",
            fth_proxy_of_thread(writing), number);
    size_t first = fth_proxy_first_written(writing);
    for (int64_t rank = 0; rank < writing->rank_count; rank++)
        of_rank[rank] = of_rank[rank] > first ? of_rank[rank] : first;
    for (int64_t rank = 0; rank < writing->rank_count; rank++)
        fprintf(writing->tables.file, "%s{runs_%zu_%zu, 0, 0}", rank ? ", " : "", number,
                of_rank[rank]);
    fprintf(writing->tables.file, "};\n");
    free(of_rank);
    fth_proxy_only_ranks_of_run(writing);
    return fth_proxy_in_program(writing)
               ? fth_text_format("next(&series_%zu[number %% %" PRId64 "])", number,
                                 writing->rank_count)
               : fth_text_format("next(&series_%zu[rank])", number);
}

char *fth_proxy_write_table(struct fth_writing *writing, const struct fth_number_series *series)
{
    size_t number = ++writing->tables_made;
    writing->needs |= FTH_NEEDS_NEXT;
    write_series(writing, series, number, "");
    fprintf(writing->tables.file, "static %sstruct series series_%zu = {runs_%zu, 0, 0};\n",
            fth_proxy_of_thread(writing), number, number);
    return fth_text_format("next(&series_%zu)", number);
}

/* One series for all, that of each process shifted by a number. */
static char *shifted_series(struct fth_writing *writing, const struct fth_body_value *value,
                            const int64_t *shifts)
{
    bool constant;
    size_t first = fth_proxy_first_written(writing);
    char *plain = fth_proxy_write_table(writing, &value->series[first]);
    char *shift = fth_proxy_write_ranked(writing, shifts, &constant);
    char *text = constant && !shifts[first] ? fth_text_copy(plain)
                                            : fth_text_format("%s + %s", plain, shift);
    free(plain);
    free(shift);
    return text;
}

/* ---- drawn ---- */

struct share {
    int64_t least, most;
    uint64_t count;
};

static int by_least(const void *left, const void *right)
{
    const struct share *one = left, *other = right;
    return (one->least > other->least) - (one->least < other->least);
}

static size_t gather_shares(const struct fth_body *body, const struct fth_body_value *value,
                            struct share **shares)
{
    size_t count = 0;
    for (size_t m = 0; m < body->member_count; m++)
        for (size_t i = 0; i < value->series[m].count; i++) {
            const struct fth_number_run *run = &value->series[m].runs[i];
            int64_t last = (int64_t)((uint64_t)run->start +
                                     (uint64_t)run->stride * (uint64_t)(run->count - 1));
            FTH_GROW(*shares, count);
            (*shares)[count++] = (struct share){run->start < last ? run->start : last,
                                                run->start < last ? last : run->start, run->count};
        }
    qsort(*shares, count, sizeof **shares, by_least);
    return count;
}

/* Neighbours are put together until there are at most MOST_SHARES, of about as many numbers. */
static size_t join_shares(struct share *shares, size_t count)
{
    uint64_t all = 0;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        all += shares[i].count;
    for (size_t i = 0; i < count; i++) {
        struct share *last = kept ? &shares[kept - 1] : NULL;
        bool same = last && last->least == shares[i].least && last->most == shares[i].most;
        bool small =
            last && count > MOST_SHARES && last->count + shares[i].count <= all / MOST_SHARES + 1;
        if (!same && !small) {
            shares[kept++] = shares[i];
            continue;
        }
        last->most = shares[i].most > last->most ? shares[i].most : last->most;
        last->count += shares[i].count;
    }
    return kept;
}

static char *drawn_text(struct fth_writing *writing, const struct fth_body_value *value)
{
    struct share *shares = NULL;
    FILE *to = writing->tables.file;
    size_t number = ++writing->tables_made, count = gather_shares(writing->body, value, &shares);
    count = join_shares(shares, count);
    writing->needs |= FTH_NEEDS_DRAW;
    fprintf(to, "static const struct share shares_%zu[] = {", number);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%s{%" PRId64 ", %" PRId64 ", %" PRIu64 "}",
                !i           ? ""
                : i % 4 == 0 ? ",\n    "
                             : ", ",
                shares[i].least, shares[i].most, shares[i].count);
    fprintf(to, "%s{0, 0, 0}};\n", count ? ", " : "");
    free(shares);
    return fth_text_format("draw(shares_%zu)", number);
}

/* Names and messages have to fit those of other calls and ranks. */
static bool may_be_drawn(const struct fth_body *body, const struct fth_body_value *value)
{
    const struct fth_form *form;
    int field = fth_value_field(body, value, &form);
    return field >= 0 && form->arguments[field].written == FTH_WRITTEN_NUMBER &&
           !fth_layer_is(form->row->layer, FTH_LAYER_MESSAGES);
}

char *fth_proxy_write_series(struct fth_writing *writing, const struct fth_body_value *value)
{
    const struct fth_body *body = writing->body;
    if (writing->settings->drawn && may_be_drawn(body, value))
        return drawn_text(writing, value);
    int64_t *shifts = fth_new(body->member_count, sizeof *shifts);
    bool alike = true;
    writing->needs |= FTH_NEEDS_NEXT;
    size_t first = fth_proxy_first_written(writing);
    for (size_t m = first + 1; m < body->member_count && alike; m++)
        alike = !fth_proxy_is_written_for(writing, m) ||
                is_shifted(&value->series[first], &value->series[m], &shifts[m]);
    char *text = alike ? shifted_series(writing, value, shifts) : series_by_rank(writing, value);
    free(shifts);
    return text;
}
