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

/* Whether the constant is made of the parts of all ranks, is not known. */
static void limit_parts_behind(struct fth_writing *writing, int64_t slope, int64_t first)
{
    char *why =
        fth_text_format("the constant in %" PRId64 " * rank + %" PRId64 " (in %s) may have "
                        "to grow with the number of ranks",
                        slope, first, writing->numbered ? writing->numbered->name : "a call");
    fth_proxy_limit_ranks(writing, 1, writing->rank_count, why);
    free(why);
}

/* What is behind the parts of all ranks moves with their number: "8 * rank + 8 * ranks". */
static char *line_text(struct fth_writing *writing, int64_t slope, int64_t first)
{
    int64_t all;
    bool is_behind = !fth_proxy_in_program(writing) &&
                     !__builtin_mul_overflow(slope, writing->rank_count, &all) && all > 0 &&
                     first >= all;
    if (slope < 0)
        fth_proxy_limit_ranks(writing, 1, writing->rank_count,
                              "a number falls with the rank, and would be below 0 for more");
    if (writing->rank_count == 2 && slope > 0 && first % slope)
        fth_proxy_limit_ranks(writing, 1, 2, "two ranks do not show how numbers grow");
    if (is_behind && first % all)
        limit_parts_behind(writing, slope, first);
    char *of_rank = slope == 1    ? fth_text_copy(writing->self)
                    : slope == -1 ? fth_text_format("-%s", writing->self)
                                  : fth_text_format("%" PRId64 " * %s", slope, writing->self);
    if (!first)
        return of_rank;
    if (is_behind && first % all == 0) {
        writing->needs |= FTH_NEEDS_SIZE;
        char *behind =
            first == writing->rank_count
                ? fth_text_format("%s + ranks", of_rank)
                : fth_text_format("%s + %" PRId64 " * ranks", of_rank, first / writing->rank_count);
        free(of_rank);
        return behind;
    }
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
    fprintf(writing->tables.file, "static const long by_%s_%zu[] = {", writing->self, number);
    for (int64_t rank = 0; rank < writing->rank_count; rank++)
        fprintf(writing->tables.file, "%s%" PRId64,
                !rank            ? ""
                : rank % 12 == 0 ? ",\n    "
                                 : ", ",
                of_rank[rank]);
    fprintf(writing->tables.file, "};\n");
    free(of_rank);
    fth_proxy_only_ranks_of_run(writing);
    return fth_proxy_in_program(writing) ? fth_text_format("by_number_%zu[number %% %" PRId64 "]",
                                                           number, writing->rank_count)
                                         : fth_text_format("by_rank_%zu[rank]", number);
}

/* Numbers of a neighbour in a ring: part * ((rank + distance) mod ranks). */
struct ring {
    int64_t part, distance;
};

static bool is_ring(const struct fth_writing *writing, struct ranked of, struct ring *ring)
{
    int64_t ranks = writing->rank_count, most = 0;
    if ((int64_t)of.count != ranks || ranks < 3 || fth_proxy_in_program(writing))
        return false;
    for (size_t m = 0; m < of.count; m++)
        most = of.numbers[m] > most ? of.numbers[m] : most;
    ring->part = most / (ranks - 1);
    if (!ring->part || most % ring->part || of.numbers[0] % ring->part || of.numbers[0] < 0)
        return false;
    ring->distance = of.numbers[0] / ring->part - of.ranks[0] % ranks;
    ring->distance += ring->distance < 0 ? ranks : 0;
    for (size_t m = 0; m < of.count; m++)
        if (of.numbers[m] != ring->part * ((of.ranks[m] + ring->distance) % ranks))
            return false;
    return true;
}

/* "(rank + 1) % ranks", "4096 * ((rank + 1) % ranks)" */
static char *ring_text(struct fth_writing *writing, struct ring ring)
{
    int64_t ranks = writing->rank_count;
    char *text =
        ring.distance <= ranks / 2
            ? fth_text_format("(rank + %" PRId64 ") %% ranks", ring.distance)
            : fth_text_format("(rank + ranks - %" PRId64 ") %% ranks", ranks - ring.distance);
    writing->needs |= FTH_NEEDS_SIZE;
    if (ring.part == 1)
        return text;
    char *of_part = fth_text_format("%" PRId64 " * (%s)", ring.part, text);
    free(text);
    return of_part;
}

bool fth_proxy_slope(const struct fth_writing *writing, const int64_t *numbers, int64_t *slope)
{
    const struct fth_body *body = writing->body;
    int64_t *ranks = fth_new(body->member_count, sizeof *ranks),
            *of_ranks = fth_new(body->member_count, sizeof *of_ranks), first;
    size_t count = 0;
    for (size_t m = 0; m < body->member_count; m++)
        if (fth_proxy_is_written_for(writing, m)) {
            of_ranks[count] = numbers[m];
            ranks[count++] = body->members[m]->rank;
        }
    struct ring ring = {0};
    bool is_one = is_line((struct ranked){count, of_ranks, ranks}, slope, &first);
    if (!is_one && is_ring(writing, (struct ranked){count, of_ranks, ranks}, &ring)) {
        is_one = true;
        *slope = ring.part;
    }
    free(of_ranks);
    free(ranks);
    return is_one;
}

static char *ranked_text(struct fth_writing *writing, struct ranked of, bool *constant)
{
    int64_t slope, first;
    struct ring ring;
    *constant = true;
    for (size_t m = 1; m < of.count; m++)
        *constant = *constant && of.numbers[m] == of.numbers[0];
    if (*constant)
        return fth_proxy_write_literal(of.numbers[0]);
    if (is_line(of, &slope, &first))
        return line_text(writing, slope, first);
    return is_ring(writing, of, &ring) ? ring_text(writing, ring) : table_text(writing, of);
}

/* Numbers of the processes that it is written for, but for one of them; SIZE_MAX: of all. */
static char *text_without(struct fth_writing *writing, const int64_t *numbers, size_t without,
                          bool *constant)
{
    const struct fth_body *body = writing->body;
    int64_t *ranks = fth_new(body->member_count, sizeof *ranks),
            *of_ranks = fth_new(body->member_count, sizeof *of_ranks);
    size_t count = 0;
    for (size_t m = 0; m < body->member_count; m++)
        if (m != without && fth_proxy_is_written_for(writing, m)) {
            of_ranks[count] = numbers[m];
            ranks[count++] = body->members[m]->rank;
        }
    char *text = ranked_text(writing, (struct ranked){count, of_ranks, ranks}, constant);
    free(of_ranks);
    free(ranks);
    return text;
}

char *fth_proxy_write_ranked(struct fth_writing *writing, const int64_t *numbers, bool *constant)
{
    return text_without(writing, numbers, SIZE_MAX, constant);
}

/* "rank == 0 ? MPI_PROC_NULL : rank - 1": one process has the constant. */
static char *choice_text(struct fth_writing *writing, const int64_t *numbers, size_t which,
                         const char *name)
{
    int64_t own = writing->body->members[which]->rank;
    bool constant;
    char *other = text_without(writing, numbers, which, &constant);
    bool is_last = own == writing->rank_count - 1 && own && !fth_proxy_in_program(writing);
    char *text =
        is_last ? fth_text_format("rank == ranks - 1 ? %s : %s", name, other)
                : fth_text_format("%s == %" PRId64 " ? %s : %s", writing->self, own, name, other);
    free(other);
    if (is_last)
        writing->needs |= FTH_NEEDS_SIZE;
    else if (own)
        fth_proxy_only_ranks_of_run(writing);
    return text;
}

char *fth_proxy_write_named(struct fth_writing *writing, const int64_t *numbers,
                            const struct fth_seen_numbers *const *seen, bool *constant)
{
    size_t named = 0, which = 0, count = 0;
    for (size_t m = 0; m < writing->body->member_count; m++) {
        if (!fth_proxy_is_written_for(writing, m))
            continue;
        count++;
        if (seen[m]->name && seen[m]->named == numbers[m]) {
            named++;
            which = m;
        }
    }
    *constant = false;
    if (named == count)
        return fth_text_copy(seen[which]->name);
    if (named == 1)
        return choice_text(writing, numbers, which, seen[which]->name);
    return fth_proxy_write_ranked(writing, numbers, constant);
}

char *fth_proxy_write_condition(struct fth_writing *writing, const int64_t *ranks, size_t count)
{
    int64_t first = ranks[0], last = ranks[count - 1];
    if (last - first + 1 == (int64_t)count) {
        if (last == writing->rank_count - 1 && first)
            return fth_text_format("rank >= %" PRId64, first);
        if (first == last)
            return fth_text_format("rank == %" PRId64, first);
        return first ? fth_text_format("rank >= %" PRId64 " && rank <= %" PRId64, first, last)
                     : fth_text_format("rank <= %" PRId64, last);
    }
    size_t number = ++writing->tables_made;
    fprintf(writing->tables.file, "static const char is_in_%zu[] = {", number);
    for (int64_t rank = 0; rank < writing->rank_count; rank++) {
        bool is_in = false;
        for (size_t i = 0; i < count; i++)
            is_in |= ranks[i] == rank;
        fprintf(writing->tables.file, "%s%d", rank ? ", " : "", is_in);
    }
    fprintf(writing->tables.file, "};\n");
    fth_proxy_only_ranks_of_run(writing);
    return fth_text_format("is_in_%zu[rank]", number);
}
