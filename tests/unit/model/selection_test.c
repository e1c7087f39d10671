/* Selections that are combined select what putting them together element by element gives, and what
 * is asked for without end costs no more than its means. */
#include "model/ranges/selection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 7, MOST_RANK = 3, CELLS = SIDE * SIDE * SIDE };

static struct fth_selection_means means;
static const int64_t extent[MOST_RANK] = {SIDE, SIDE, SIDE};

static int begin(void **state)
{
    (void)state;
    srand(1);
    means = (struct fth_selection_means){1 << 30, 1 << 20};
    return 0;
}

/* Everything was given back. */
static int end(void **state)
{
    (void)state;
    return means.numbers == 1 << 20 ? 0 : -1;
}

static void mark(const struct fth_made_selection *selection, const int64_t *at,
                 unsigned char *cells)
{
    size_t cell = 0;
    for (unsigned d = 0; d < selection->rank; d++) {
        assert_in_range(at[d], 0, SIDE - 1);
        cell = cell * SIDE + (size_t)at[d];
    }
    assert_false(cells[cell]); /* no element comes twice */
    cells[cell] = 1;
}

static void mark_slab(const struct fth_made_selection *selection, const int64_t *slab, unsigned d,
                      int64_t *at, unsigned char *cells)
{
    unsigned rank = selection->rank;
    if (d == rank) {
        mark(selection, at, cells);
        return;
    }
    for (int64_t i = 0; i < slab[2 * rank + d]; i++)
        for (int64_t k = 0; k < slab[3 * rank + d]; k++) {
            at[d] = slab[d] + i * slab[rank + d] + k;
            mark_slab(selection, slab, d + 1, at, cells);
        }
}

static size_t cells_of(unsigned rank)
{
    return rank == 1 ? SIDE : rank == 2 ? SIDE * SIDE : CELLS;
}

static void mark_all(const struct fth_made_selection *selection, unsigned char *cells)
{
    int64_t at[MOST_RANK];
    memset(cells, selection->form == FTH_SELECTION_ALL, CELLS);
    for (size_t i = 0; selection->form == FTH_SELECTION_SLABS && i < selection->count; i++)
        mark_slab(selection, selection->numbers + i * 4 * selection->rank, 0, at, cells);
    size_t sum = 0;
    for (size_t i = 0; i < cells_of(selection->rank); i++)
        sum += cells[i];
    assert_int_equal(fth_selection_elements(selection, extent), sum);
}

static struct fth_made_selection *draw(unsigned rank)
{
    int64_t start[MOST_RANK], stride[MOST_RANK], count[MOST_RANK], block[MOST_RANK];
    if (rand() % 12 == 0)
        return rand() % 2 ? fth_selection_all(rank) : fth_selection_nothing(rank);
    for (unsigned d = 0; d < rank; d++) {
        block[d] = 1 + rand() % 3;
        stride[d] = block[d] + rand() % 2;
        start[d] = rand() % (SIDE - block[d] + 1);
        count[d] = 1 + rand() % ((SIDE - start[d] - block[d]) / stride[d] + 1);
    }
    return fth_selection_slab(rank, start, stride, count, block, &means);
}

static bool expected(enum fth_selection_operator how, bool one, bool other)
{
    switch (how) {
    case FTH_SELECT_OR:
        return one || other;
    case FTH_SELECT_AND:
        return one && other;
    case FTH_SELECT_XOR:
        return one != other;
    case FTH_SELECT_NOTB:
        return one && !other;
    case FTH_SELECT_NOTA:
        return !one && other;
    default:
        return other;
    }
}

/* ---- cases by hand ---- */

/* Of one dimension: which elements are selected, as a picture. */
static void picture_of(const struct fth_made_selection *selection, char *picture)
{
    unsigned char cells[CELLS];
    mark_all(selection, cells);
    for (int i = 0; i < SIDE; i++)
        picture[i] = cells[i] ? '#' : '.';
    picture[SIDE] = 0;
}

static void assert_combined(enum fth_selection_operator how, const char *expected)
{
    char picture[SIDE + 1];
    /* #.#.#.. and .####.. */
    struct fth_made_selection *every_second =
        fth_selection_slab(1, (int64_t[]){0}, (int64_t[]){2}, (int64_t[]){3}, NULL, &means);
    struct fth_made_selection *block =
        fth_selection_slab(1, (int64_t[]){1}, NULL, (int64_t[]){4}, NULL, &means);
    every_second = fth_selection_combine(how, every_second, block, extent, &means);
    picture_of(every_second, picture);
    assert_string_equal(picture, expected);
    fth_selection_drop(every_second);
    fth_selection_drop(block);
}

static void either_or_both(void **state)
{
    (void)state;
    assert_combined(FTH_SELECT_OR, "#####..");
    assert_combined(FTH_SELECT_AND, "..#.#..");
    assert_combined(FTH_SELECT_XOR, "##.#...");
}

static void one_without_the_other(void **state)
{
    (void)state;
    assert_combined(FTH_SELECT_NOTB, "#......");
    assert_combined(FTH_SELECT_NOTA, ".#.#...");
    assert_combined(FTH_SELECT_SET, ".####..");
}

/* ---- random ones ---- */

/* A row of the last dimension is a word. */
static void print_cells(const char *name, unsigned rank, const unsigned char *cells)
{
    print_error("%s:", name);
    for (size_t i = 0; i < cells_of(rank); i++)
        print_error("%s%c", i % SIDE ? "" : i % (SIDE * SIDE) ? " " : "\n  ", cells[i] ? '#' : '.');
    print_error("\n");
}

static void combined_as_by_hand(void **state)
{
    (void)state;
    unsigned char one[CELLS], other[CELLS], made[CELLS];
    for (int turn = 0; turn < 3000; turn++) {
        unsigned rank = 1 + (unsigned)rand() % MOST_RANK;
        struct fth_made_selection *all = draw(rank);
        for (int step = 0; step < 4; step++) {
            struct fth_made_selection *next = draw(rank);
            enum fth_selection_operator how = rand() % 6;
            mark_all(all, one);
            mark_all(next, other);
            all = fth_selection_combine(how, all, next, extent, &means);
            mark_all(all, made);
            for (size_t i = 0; i < cells_of(rank); i++) {
                if (made[i] == expected(how, one[i], other[i]))
                    continue;
                print_cells("one", rank, one);
                print_cells("other", rank, other);
                print_cells("combined", rank, made);
                fail_msg("operator %d: element %zu is %sselected", (int)how, i,
                         made[i] ? "" : "not ");
            }
            fth_selection_drop(next);
        }
        fth_selection_drop(all);
    }
}

static void shared_ones_stay(void **state)
{
    (void)state;
    struct fth_made_selection *one =
        fth_selection_slab(1, (int64_t[]){0}, NULL, (int64_t[]){2}, NULL, &means);
    struct fth_made_selection *other =
        fth_selection_slab(1, (int64_t[]){4}, NULL, (int64_t[]){2}, NULL, &means);
    struct fth_made_selection *both =
        fth_selection_combine(FTH_SELECT_OR, fth_selection_share(one), other, NULL, &means);
    assert_int_equal(fth_selection_elements(one, NULL), 2);
    assert_int_equal(fth_selection_elements(both, NULL), 4);
    fth_selection_drop(one);
    fth_selection_drop(other);
    fth_selection_drop(both);
}

static void points_in_their_order(void **state)
{
    (void)state;
    struct fth_made_selection *one = fth_selection_points(2, (int64_t[]){1, 2, 3, 4}, 2, &means);
    struct fth_made_selection *other = fth_selection_points(2, (int64_t[]){5, 6}, 1, &means);
    one = fth_selection_combine(FTH_SELECT_PREPEND, one, other, NULL, &means);
    assert_int_equal(one->count, 3);
    assert_memory_equal(one->numbers, ((int64_t[]){5, 6, 1, 2, 3, 4}), 48);
    struct fth_made_selection *moved = fth_selection_shift(one, (int64_t[]){0, -2}, &means);
    assert_memory_equal(moved->numbers, ((int64_t[]){5, 4, 1, 0, 3, 2}), 48);
    fth_selection_drop(moved);
    moved = fth_selection_shift(one, (int64_t[]){-2, 0}, &means);
    assert_int_equal(moved->form, FTH_SELECTION_UNKNOWN);
    fth_selection_drop(moved);
    fth_selection_drop(one);
    fth_selection_drop(other);
}

/* What damaged traces may hold. */
static void impossible_numbers(void **state)
{
    (void)state;
    static const int64_t slabs[][4] = {{-1, 1, 1, 1},  {0, 0, 2, 1},         {0, 1, -2, 1},
                                       {0, 1, 2, 2},   {0, INT64_MAX, 3, 1}, {INT64_MAX, 1, 1, 1},
                                       {0, 1, -1, -1}, {0, 1, 1, INT64_MIN}};
    for (size_t i = 0; i < sizeof slabs / sizeof *slabs; i++) {
        struct fth_made_selection *made =
            fth_selection_slab(1, &slabs[i][0], &slabs[i][1], &slabs[i][2], &slabs[i][3], &means);
        if (made->form != FTH_SELECTION_UNKNOWN)
            fail_msg("slab %zu", i);
        fth_selection_drop(made);
    }
}

/* A chess board of a billion fields cannot be taken apart; nor can one without end. */
static void too_much_is_not_known(void **state)
{
    (void)state;
    const int64_t start[] = {0, 0}, stride[] = {2, 2}, count[] = {1 << 20, 1 << 20};
    const int64_t endless[] = {-1, -1};
    for (int i = 0; i < 2; i++) {
        struct fth_made_selection *board =
            fth_selection_slab(2, start, stride, i ? endless : count, NULL, &means);
        struct fth_made_selection *box =
            fth_selection_slab(2, start, NULL, (int64_t[]){9, 9}, NULL, &means);
        assert_int_equal(fth_selection_elements(board, NULL), i ? -1 : INT64_C(1) << 40);
        board = fth_selection_combine(FTH_SELECT_XOR, board, box, NULL, &means);
        assert_int_equal(board->form, FTH_SELECTION_UNKNOWN);
        fth_selection_drop(board);
        fth_selection_drop(box);
    }
    struct fth_selection_means poor = {1 << 20, 3};
    struct fth_made_selection *made = fth_selection_slab(1, start, NULL, count, NULL, &poor);
    assert_int_equal(made->form, FTH_SELECTION_UNKNOWN);
    fth_selection_drop(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_or_both),        cmocka_unit_test(one_without_the_other),
        cmocka_unit_test(combined_as_by_hand),   cmocka_unit_test(shared_ones_stay),
        cmocka_unit_test(points_in_their_order), cmocka_unit_test(impossible_numbers),
        cmocka_unit_test(too_much_is_not_known),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
