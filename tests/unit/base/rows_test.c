/* Lists of rows: what was added is found again, at any place and any time, and what repeats itself
 * takes no memory. */
#include "base/rows.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LISTS = 200, ROWS = 6000 };

static uint64_t state = 88172645463325252u;
static uint64_t below(uint64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % limit;
}

static int64_t any(void)
{
    switch (below(4)) {
    case 0:
        return (int64_t)(state >> 3) - (int64_t)(state << 40); /* also very large ones */
    case 1:
        return INT64_MIN + (int64_t)below(3);
    default:
        return (int64_t)below(1000);
    }
}

/* What a program does: turns of one length for a while, some of them with something in between. */
struct source {
    unsigned columns;
    uint32_t period, phase, left, unsteady;
    int64_t now[2 * FTH_ROWS_LONGEST][FTH_ROWS_COLUMNS],
        steps[2 * FTH_ROWS_LONGEST][FTH_ROWS_COLUMNS];
};

static void next_row(struct source *source, int64_t *row)
{
    if (!source->left--) {
        source->period = 1 + (uint32_t)below(below(3) ? 12 : 2 * FTH_ROWS_LONGEST);
        source->left = (uint32_t)below(2000);
        source->unsteady = below(2) ? 0 : 1 + (uint32_t)below(300);
        source->phase = 0;
        for (uint32_t i = 0; i < source->period; i++)
            for (unsigned column = 0; column < source->columns; column++) {
                source->now[i][column] = any();
                source->steps[i][column] = below(3) ? (int64_t)below(100) : any();
            }
    }
    uint32_t phase = source->phase++ % source->period;
    bool differs = source->unsteady && below(source->unsteady) == 0;
    for (unsigned column = 0; column < source->columns; column++) {
        row[column] = source->now[phase][column];
        source->now[phase][column] =
            (int64_t)((uint64_t)row[column] + (uint64_t)source->steps[phase][column]);
        row[column] = differs ? any() : row[column];
    }
}

static void check(const struct fth_rows *rows, struct fth_rows_place *place, int64_t (*all)[4],
                  uint32_t i)
{
    assert_memory_equal(fth_rows_at(rows, place, i), all[i], rows->columns * sizeof **all);
}

static void what_was_added_is_found(void **unused)
{
    static int64_t all[ROWS][FTH_ROWS_COLUMNS];
    static struct source source;
    (void)unused;
    for (int list = 0; list < LISTS; list++) {
        struct fth_rows rows = {.columns = 1 + (unsigned)below(FTH_ROWS_COLUMNS)};
        struct fth_rows_place place = {0}, other = {0};
        uint32_t count = (uint32_t)below(ROWS);
        source = (struct source){.columns = rows.columns};
        for (uint32_t i = 0; i < count; i++) {
            next_row(&source, all[i]);
            fth_rows_add(&rows, all[i]);
            assert_int_equal(rows.count, i + 1);
            if (below(50) == 0) { /* while more are added */
                check(&rows, &place, all, (uint32_t)below(i + 1));
                check(&rows, &other, all, i);
            }
        }
        fth_rows_end(&rows);
        for (uint32_t i = 0; i < count; i++) {
            check(&rows, &place, all, i);
            check(&rows, &other, all, (uint32_t)below(count));
        }
        for (uint32_t i = count; i-- > 0;)
            check(&rows, &place, all, i);
        fth_rows_leave(&place);
        fth_rows_leave(&other);
        fth_rows_free(&rows);
    }
}

/* A million turns take as much as a hundred. */
static void what_repeats_itself_takes_no_memory(void **unused)
{
    struct fth_rows rows = {.columns = 2};
    struct fth_rows_place place = {0};
    int64_t row[2];
    (void)unused;
    for (int64_t i = 0; i < 5000000; i++) {
        bool is_start = i < 7;
        row[0] = is_start ? i * i : i % 5 * 100 + i / 5 * (i % 5);
        row[1] = i % 5 * (i % 5);
        fth_rows_add(&rows, row);
    }
    assert_true(rows.piece_count < 5 && rows.integer_count < 100 && rows.bytes.length < 200);
    const int64_t *found = fth_rows_at(&rows, &place, 4999998);
    assert_int_equal(found[0], 300 + 999999 * 3);
    assert_int_equal(found[1], 9);
    fth_rows_leave(&place);
    fth_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_is_found),
        cmocka_unit_test(what_repeats_itself_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
