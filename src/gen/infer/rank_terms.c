/* Ranks go through a grid of processes row by row, so the place of a rank in one direction is
 * rank / q % p, for p processes in this direction and q in those behind it. */
#include "gen/infer/rank_terms.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of places in one direction of a grid. */
struct grid {
    int64_t behind, processes;
};

/* The grid whose places change where the values do. */
static struct grid grid_of(const int64_t *values, int64_t ranks)
{
    struct grid grid = {1, 1};
    while (grid.behind < ranks && values[grid.behind] == values[0])
        grid.behind++;
    grid.processes = 1;
    while (grid.processes * grid.behind < ranks &&
           values[grid.processes * grid.behind] != values[0])
        grid.processes++;
    return grid;
}

static int64_t place(struct grid grid, int64_t rank)
{
    return rank / grid.behind % grid.processes;
}

static void say_place(struct grid grid, int64_t ranks, bool fortran, struct fth_gen_rank_term *term)
{
    char behind[48] = "";
    if (grid.behind > 1)
        snprintf(behind, sizeof behind, " / %" PRId64, grid.behind);
    if (grid.behind * grid.processes >= ranks)
        snprintf(term->text, sizeof term->text, "rank%s", behind);
    else if (fortran)
        snprintf(term->text, sizeof term->text, "mod(rank%s, %" PRId64 ")", behind, grid.processes);
    else
        snprintf(term->text, sizeof term->text, "rank%s %% %" PRId64, behind, grid.processes);
}

bool fth_gen_rank_term(const int64_t *values, int64_t ranks, bool fortran,
                       struct fth_gen_rank_term *term)
{
    struct grid grid = grid_of(values, ranks);
    if (grid.behind == ranks) {
        snprintf(term->text, sizeof term->text, "%" PRId64, values[0]);
        return true;
    }
    int64_t distance = values[grid.behind] - values[0];
    if (distance < 0)
        return false;
    for (int64_t rank = 0; rank < ranks; rank++)
        if (values[rank] != values[0] + place(grid, rank) * distance)
            return false;
    struct fth_gen_rank_term at;
    char times[48] = "", plus[48] = "";
    say_place(grid, ranks, fortran, &at);
    if (distance != 1)
        snprintf(times, sizeof times, " * %" PRId64, distance);
    if (values[0])
        snprintf(plus, sizeof plus, " + %" PRId64, values[0]);
    snprintf(term->text, sizeof term->text, "%.60s%s%s", at.text, times, plus);
    return true;
}

bool fth_gen_rank_shares(const int64_t *starts, const int64_t *counts, int64_t ranks,
                         int64_t length, bool fortran, struct fth_gen_rank_term *start,
                         struct fth_gen_rank_term *count)
{
    struct grid grid = grid_of(starts, ranks);
    int64_t largest;
    if (__builtin_mul_overflow(length, grid.processes, &largest) || grid.behind == ranks)
        return false;
    for (int64_t rank = 0; rank < ranks; rank++) {
        int64_t at = place(grid, rank);
        int64_t begin = length * at / grid.processes, end = length * (at + 1) / grid.processes;
        if (starts[rank] != begin + fortran || counts[rank] != end - begin)
            return false;
    }
    struct fth_gen_rank_term at;
    say_place(grid, ranks, fortran, &at);
    bool alone = !strcmp(at.text, "rank");
    const char *open = alone ? "" : "(", *close = alone ? "" : ")";
    snprintf(start->text, sizeof start->text, "%" PRId64 " * %s%.48s%s / %" PRId64 "%s", length,
             open, at.text, close, grid.processes, fortran ? " + 1" : "");
    snprintf(count->text, sizeof count->text,
             "%" PRId64 " * (%.48s + 1) / %" PRId64 " - %" PRId64 " * %s%.48s%s / %" PRId64, length,
             at.text, grid.processes, length, open, at.text, close, grid.processes);
    return true;
}
