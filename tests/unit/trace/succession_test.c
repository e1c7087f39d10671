/* The symbols of a block come back, loops take next to nothing, and what is cut or made up ends in
 * no reading beyond it. */
#include "trace/columns/succession.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SYMBOLS = 20000 };

static uint32_t symbols[SYMBOLS];

/* Writes the first of them, reads them again; how many bytes they took; SIZE_MAX: others came
 * back. */
static size_t written(uint32_t count)
{
    static uint8_t bytes[SYMBOLS * 8];
    struct fth_succession writing = {0}, reading;
    uint8_t *end = bytes;
    for (uint32_t i = 0; i < count; i++)
        end = fth_succession_put(&writing, end, symbols[i]);
    struct fth_view view = fth_view_of(bytes, (size_t)(end - bytes));
    fth_succession_open(&reading, &view);
    for (uint32_t i = 0; i < count; i++)
        if (fth_succession_get(&reading, &view) != symbols[i])
            return SIZE_MAX;
    return view.failed ? SIZE_MAX : (size_t)(end - bytes);
}

/* The last symbols of the shortest beginning that does not come back. */
static void show(uint32_t count)
{
    uint32_t length = 1;
    while (length < count && written(length) != SIZE_MAX)
        length++;
    print_error("the last of %u symbols:", length);
    for (uint32_t i = length > 20 ? length - 20 : 0; i < length; i++)
        print_error(" %u", symbols[i]);
    print_error("\n");
}

static size_t check(void)
{
    size_t bytes = written(SYMBOLS);
    if (bytes == SIZE_MAX) {
        show(SYMBOLS);
        fail_msg("these symbols do not come back");
    }
    return bytes;
}

static void check_few(const uint32_t *few, uint32_t count, size_t bytes)
{
    memcpy(symbols, few, count * sizeof *few);
    assert_int_equal(written(count), bytes);
}

/* A run that was as expected and a symbol that was not are a byte each. */
static void what_followed_last_time_takes_nothing(void **state)
{
    (void)state;
    check_few((const uint32_t[]){1, 2, 3}, 3, 6);
    check_few((const uint32_t[]){1, 2, 3, 1, 2, 3}, 6, 8);
    check_few((const uint32_t[]){1, 2, 3, 1, 3}, 5, 10);
}

static void symbols_come_back(void **state)
{
    (void)state;
    for (int most = 1; most <= FTH_SUCCESSION_SYMBOLS; most *= 2) {
        srand((unsigned)most);
        for (int i = 0; i < SYMBOLS; i++)
            symbols[i] = (uint32_t)(rand() % most);
        assert_true(check() <= SYMBOLS * 4);
    }
}

static void symbols_beyond_the_places_come_back(void **state)
{
    (void)state;
    srand(1);
    for (int i = 0; i < SYMBOLS; i++)
        symbols[i] = (uint32_t)rand() & 0xffff;
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
        cmocka_unit_test(what_followed_last_time_takes_nothing),
        cmocka_unit_test(symbols_come_back),
        cmocka_unit_test(symbols_beyond_the_places_come_back),
        cmocka_unit_test(loops_are_small),
        cmocka_unit_test(damage_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
