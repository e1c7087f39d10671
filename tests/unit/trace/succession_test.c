/* The symbols of a block come back, loops take next to nothing, and what is cut or made up ends in
 * no reading beyond it. */
#include "trace/columns/succession.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SYMBOLS = 20000 };

static uint32_t symbols[SYMBOLS];

/* Writes them, reads them again; returns how many bytes they took. */
static size_t check(void)
{
    static uint8_t bytes[SYMBOLS * 8];
    struct fth_succession writing = {0}, reading;
    uint8_t *end = bytes;
    for (int i = 0; i < SYMBOLS; i++)
        end = fth_succession_put(&writing, end, symbols[i]);
    struct fth_view view = fth_view_of(bytes, (size_t)(end - bytes));
    fth_succession_open(&reading, &view);
    for (int i = 0; i < SYMBOLS; i++)
        assert_int_equal(fth_succession_get(&reading, &view), symbols[i]);
    assert_false(view.failed);
    return (size_t)(end - bytes);
}

static void symbols_come_back(void **state)
{
    (void)state;
    for (int most = 1; most <= FTH_SUCCESSION_SYMBOLS; most *= 2) {
        for (int i = 0; i < SYMBOLS; i++)
            symbols[i] = (uint32_t)(random() % most);
        assert_true(check() <= SYMBOLS * 4);
    }
}

static void symbols_beyond_the_places_come_back(void **state)
{
    (void)state;
    for (int i = 0; i < SYMBOLS; i++)
        symbols[i] = (uint32_t)random() & 0xffff;
    check();
}

static void loops_are_small(void **state)
{
    (void)state;
    for (int turn = 1; turn < 1000; turn += 97) {
        for (int i = 0; i < SYMBOLS; i++)
            symbols[i] = (uint32_t)(i % turn);
        assert_true(check() <= (size_t)turn * 4 + 8);
    }
}

static void damage_ends(void **state)
{
    (void)state;
    for (int round = 0; round < 1000; round++) {
        uint8_t *bytes = malloc(16);
        struct fth_succession reading;
        for (int i = 0; i < 16; i++)
            bytes[i] = (uint8_t)random();
        struct fth_view view = fth_view_of(bytes, 16);
        fth_succession_open(&reading, &view);
        for (int i = 0; i < SYMBOLS; i++)
            fth_succession_get(&reading, &view);
        assert_true(view.at <= view.end);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_come_back),
        cmocka_unit_test(symbols_beyond_the_places_come_back),
        cmocka_unit_test(loops_are_small),
        cmocka_unit_test(damage_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
