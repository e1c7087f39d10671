/* The choice of the slowest: agreed by all, whoever comes first; of those that stay behind. */
#include "trace/spill/watch_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fth_watch_page page;

static struct fth_watch_place *begin(size_t processes)
{
    memset(&page, 0, sizeof page);
    for (size_t i = 0; i < processes; i++)
        assert_ptr_equal(fth_watch_take_place(&page, i + 1), &page.places[i]);
    assert_int_equal(page.used, processes);
    return page.places;
}

/* What each took in `phase`; all are in the next one. */
static void take(uint64_t phase, const uint64_t *times, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        page.places[i].time[phase % FTH_WATCH_KEPT] = times[i];
        page.places[i].time[(phase + 1) % FTH_WATCH_KEPT] = 0;
        page.places[i].phase = phase + 1;
    }
}

static unsigned chosen(uint64_t next, uint64_t slowest, size_t count)
{
    unsigned bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= (unsigned)fth_watch_choose(&page, &page.places[i], next, slowest, true).is_chosen
                << i;
    return bits;
}

static void slowest_are_chosen(void **state)
{
    (void)state;
    begin(5);
    take(0, (const uint64_t[]){5, 50, 7, 40, 9}, 5);
    assert_int_equal(chosen(1, 2, 5), 0x0a);
    assert_int_equal(fth_watch_choose(&page, &page.places[0], 1, 2, true).least, 40);
    take(1, (const uint64_t[]){90, 0, 0, 0, 95}, 5);
    assert_int_equal(chosen(2, 2, 5), 0x11);
    take(2, (const uint64_t[]){0, 0, 3, 0, 0}, 5); /* nobody else was in a call */
    assert_int_equal(chosen(3, 2, 5), 0x04);
    take(3, (const uint64_t[]){0, 0, 0, 0, 0}, 5);
    assert_int_equal(chosen(4, 2, 5), 0);
    take(4, (const uint64_t[]){8, 8, 8, 8, 8}, 5); /* the first ones of equal ones */
    assert_int_equal(chosen(5, 2, 5), 0x03);
    take(5, (const uint64_t[]){1, 2, 3, 4, 5}, 5); /* more than there are */
    assert_int_equal(chosen(6, 9, 5), 0x1f);
}

/* What the first one has chosen holds, whatever comes to light later. */
static void first_chooses_for_all(void **state)
{
    (void)state;
    struct fth_watch_place *places = begin(3);
    take(0, (const uint64_t[]){1, 2, 3}, 3);
    assert_true(fth_watch_choose(&page, &places[2], 1, 1, true).is_chosen);
    places[0].time[0] = 100;
    assert_false(fth_watch_choose(&page, &places[0], 1, 1, true).is_chosen);
    assert_true(fth_watch_choose(&page, &places[2], 1, 1, true).is_chosen);
}

/* Nobody waits for one that was killed while it chose. */
static void killed_while_choosing(void **state)
{
    (void)state;
    struct fth_watch_place *places = begin(3);
    take(0, (const uint64_t[]){1, 2, 3}, 3);
    page.choices[1].claimed = 1;
    assert_true(fth_watch_choose(&page, &places[2], 1, 1, true).is_chosen);
    assert_false(fth_watch_choose(&page, &places[1], 1, 1, true).is_chosen);
    assert_int_equal(page.choices[1].phase, 0);
    take(1, (const uint64_t[]){9, 2, 3}, 3); /* the next choice is for all again */
    assert_int_equal(chosen(2, 1, 3), 0x01);
    assert_int_equal(page.choices[2].phase, 2);
}

/* One that has not come yet counts with what it took; one that stays behind, or has ended, does
 * not. */
static void stragglers(void **state)
{
    (void)state;
    struct fth_watch_place *places = begin(3);
    take(6, (const uint64_t[]){1, 2, 3}, 3);
    places[0].phase = 6;
    places[0].time[6 % FTH_WATCH_KEPT] = 70;
    assert_int_equal(chosen(7, 1, 3), 0x01);
    places[0].phase = 2;
    places[0].time[2 % FTH_WATCH_KEPT] = 70;
    take(7, (const uint64_t[]){1, 2, 3}, 0);
    places[1].phase = places[2].phase = 8;
    places[1].time[7 % FTH_WATCH_KEPT] = 5;
    places[2].time[7 % FTH_WATCH_KEPT] = 6;
    assert_int_equal(chosen(8, 1, 3), 0x04);
    places[2].image = 0;
    places[1].phase = 9;
    places[1].time[8 % FTH_WATCH_KEPT] = 5;
    assert_int_equal(chosen(9, 1, 3), 0x02);
    /* phases of a time end for all at once */
    begin(2);
    take(3, (const uint64_t[]){7, 8}, 2);
    page.places[1].phase = 2;
    page.places[1].time[2] = 99;
    assert_true(fth_watch_choose(&page, &page.places[0], 4, 1, false).is_chosen);
}

static void places(void **state)
{
    (void)state;
    begin(FTH_WATCH_PLACES);
    assert_null(fth_watch_take_place(&page, 5000));
    page.places[17].image = 0;
    assert_ptr_equal(fth_watch_take_place(&page, 5000), &page.places[17]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slowest_are_chosen),
        cmocka_unit_test(first_chooses_for_all),
        cmocka_unit_test(killed_while_choosing),
        cmocka_unit_test(stragglers),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
