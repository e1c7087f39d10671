/* Arrays that grow on demand: what is new is zeroed, no number is too large for the arithmetic, and
 * what lies far behind the end costs nothing. */
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* kB of this process that are in memory. */
static long resident(void)
{
    char line[256];
    long kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return kilobytes;
}

static void what_is_new_is_zeroed(void **state)
{
    (void)state;
    uint64_t *numbers = NULL;
    uint32_t limit = 0;
    for (uint32_t index = 0; index < 100000; index += index / 3 + 1) {
        numbers = fth_reach(numbers, &limit, index, sizeof *numbers);
        assert_true(limit > index);
        assert_int_equal(numbers[index], 0);
        assert_int_equal(numbers[limit - 1], 0);
        numbers[index] = index + 1;
    }
    for (uint32_t index = 0; index < 100000; index += index / 3 + 1)
        assert_int_equal(numbers[index], index + 1);
    free(numbers);
}

static void the_largest_index_fits(void **state)
{
    (void)state;
    uint8_t *bytes = NULL;
    uint32_t limit = 0;
    bytes = fth_reach(bytes, &limit, 3, 1);
    bytes[3] = 7;
    long before = resident();
    bytes = fth_reach(bytes, &limit, UINT32_MAX - 1, 1);
    assert_int_equal(limit, UINT32_MAX);
    assert_int_equal(bytes[3], 7);
    bytes[UINT32_MAX - 1] = 8;
    assert_true(resident() - before < 64 << 10); /* what is not touched is not there */
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_new_is_zeroed),
        cmocka_unit_test(the_largest_index_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
