/* Numbers of several processes: a constant, a line of the rank, or a table. */
#include "proxy/writing.h"

#include "base/memory.h"

#include <inttypes.h>

char *fth_proxy_write_literal(int64_t number)
{
    if (number == INT64_MIN)
        return fth_text_copy("INT64_MIN");
    bool is_long = number > INT32_MAX || number < INT32_MIN;
    return fth_text_format("%" PRId64 "%s", number, is_long ? "L" : "");
}

/* Numbers of processes, and their ranks. */
struct ranked {
    size_t count;
    const int64_t *numbers, *ranks;
};

static bool is_line(struct ranked of, int64_t *slope, int64_t *first)
{
    if (of.count < 2)
        return false;
    int64_t ranks = of.ranks[1] - of.ranks[0], rise, most;
    if (!ranks || __builtin_sub_overflow(of.numbers[1], of.numbers[0], &rise) || rise % ranks)
        return false;
    *slope = rise / ranks;
    if (__builtin_mul_overflow(*slope, of.ranks[0], &most) ||
        __builtin_sub_overflow(of.numbers[0], most, first))
        return false;
    for (size_t m = 0; m < of.count; m++) {
        int64_t product, sum;
        if (__builtin_mul_overflow(*slope, of.ranks[m], &product) ||
            __builtin_add_overflow(product, *first, &sum) || sum != of.numbers[m])
            return false;
    }
    return true;
}

static char *line_text(int64_t slope, int64_t first)
{
    char *of_rank = slope == 1    ? fth_text_copy("rank")
                    : slope == -1 ? fth_text_copy("-rank")
                                  : fth_text_format("%" PRId64 " * rank", slope);
    if (!first)
        return of_rank;
    char *text = fth_text_format("%s %c %" PRIu64, of_rank, first < 0 ? '-' : '+',
                                 first < 0 ? -(uint64_t)first : (uint64_t)first);
    free(of_rank);
    return text;
}

static char *table_text(struct fth_writing *writing, struct ranked of)
{
    size_t number = ++writing->tables_made;
    int64_t *of_rank = fth_new((size_t)writing->rank_count, sizeof *of_rank);
    for (size_t m = 0; m < of.count; m++)
        of_rank[of.ranks[m]] = of.numbers[m];
    fprintf(writing->tables.file, "static const long by_rank_%zu[] = {", number);
    for (int64_t rank = 0; rank < writing->rank_count; rank++)
        fprintf(writing->tables.file, "%s%" PRId64,
                !rank            ? ""
                : rank % 12 == 0 ? ",\n    "
                                 : ", ",
                of_rank[rank]);
    fprintf(writing->tables.file, "};\n");
    free(of_rank);
    writing->needs |= FTH_NEEDS_RANKS;
    return fth_text_format("by_rank_%zu[rank]", number);
}

static char *ranked_text(struct fth_writing *writing, struct ranked of, bool *constant)
{
    int64_t slope, first;
    *constant = true;
    for (size_t m = 1; m < of.count; m++)
        *constant = *constant && of.numbers[m] == of.numbers[0];
    if (*constant)
        return fth_proxy_write_literal(of.numbers[0]);
    return is_line(of, &slope, &first) ? line_text(slope, first) : table_text(writing, of);
}

static int64_t *ranks_of(const struct fth_body *body)
{
    int64_t *ranks = fth_new(body->member_count, sizeof *ranks);
    for (size_t m = 0; m < body->member_count; m++)
        ranks[m] = body->members[m]->rank;
    return ranks;
}

char *fth_proxy_write_ranked(struct fth_writing *writing, const int64_t *numbers, bool *constant)
{
    int64_t *ranks = ranks_of(writing->body);
    char *text = ranked_text(writing, (struct ranked){writing->body->member_count, numbers, ranks},
                             constant);
    free(ranks);
    return text;
}

/* "rank == 0 ? MPI_PROC_NULL : rank - 1": one process has the constant. */
static char *choice_text(struct fth_writing *writing, const int64_t *numbers, size_t which,
                         const char *name)
{
    size_t count = writing->body->member_count, rest = 0;
    int64_t *ranks = ranks_of(writing->body), *others = fth_new(count, sizeof *others),
            own = ranks[which];
    bool constant;
    for (size_t m = 0; m < count; m++)
        if (m != which) {
            others[rest] = numbers[m];
            ranks[rest++] = ranks[m];
        }
    char *other = ranked_text(writing, (struct ranked){rest, others, ranks}, &constant);
    char *text = fth_text_format("rank == %" PRId64 " ? %s : %s", own, name, other);
    free(other);
    free(others);
    free(ranks);
    if (own)
        writing->needs |= FTH_NEEDS_RANKS;
    return text;
}

char *fth_proxy_write_named(struct fth_writing *writing, const int64_t *numbers,
                            const struct fth_seen_numbers *const *seen, bool *constant)
{
    size_t named = 0, which = 0, count = writing->body->member_count;
    for (size_t m = 0; m < count; m++)
        if (seen[m]->name && seen[m]->named == numbers[m]) {
            named++;
            which = m;
        }
    *constant = false;
    if (named == count)
        return fth_text_copy(seen[which]->name);
    if (named == 1)
        return choice_text(writing, numbers, which, seen[which]->name);
    return fth_proxy_write_ranked(writing, numbers, constant);
}
