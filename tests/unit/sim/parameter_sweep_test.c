/* Points of a sweep are shared fairly: as many for each part, and of each value of a key about as
 * many. */
#include "sim/results/parameter_sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PARTS = 16, VALUES = 12, SHARE = 64 };

static void share(uint32_t parts, uint32_t values)
{
    uint32_t shares[VALUES][PARTS] = {{0}}, wholes[PARTS] = {0};
    for (uint32_t point = 0; point < SHARE * parts * values; point++) {
        uint32_t part = fth_sim_sweep_part_of(point, parts);
        assert_true(part < parts);
        shares[point % values][part]++;
        wholes[part]++;
    }
    for (uint32_t part = 0; part < parts; part++) {
        assert_int_equal(wholes[part], SHARE * values);
        for (uint32_t value = 0; value < values; value++)
            assert_in_range(shares[value][part], SHARE / 2, SHARE * 3 / 2);
    }
}

static void test_parts_share_points_fairly(void **state)
{
    (void)state;
    for (uint32_t parts = 1; parts <= PARTS; parts++)
        for (uint32_t values = 1; values <= VALUES; values++)
            share(parts, values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts_share_points_fairly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
