/* Quotients are those of the operator, of small and of large numbers. */
#include "base/divisor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t random_number(void)
{
    uint64_t number = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();
    return number >> random() % 64;
}

static void check(uint64_t value, uint64_t by)
{
    struct fth_divisor divisor = fth_divisor_of(by);
    assert_int_equal(fth_divided(value, &divisor), value / by);
}

static void quotients_are_exact(void **state)
{
    (void)state;
    for (uint64_t by = 1; by < 300; by++)
        for (uint64_t more = 0; more < 3; more++) {
            check(UINT64_MAX - more, by);
            check(by * 1000 - 1 + more, by);
            check(more, by);
        }
    check(UINT64_MAX, UINT64_MAX);
    check(UINT64_MAX - 1, UINT64_MAX);
    for (int i = 0; i < 200000; i++) {
        uint64_t by = random_number();
        check(random_number(), by ? by : 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quotients_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
