/* Processors that the affinity mask leaves out do not count. */
#include "base/processors.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void counts_those_of_the_mask(void **state)
{
    (void)state;
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all))
        skip(); /* a node with more processors than such a mask has */
    assert_int_equal(fth_processors(), CPU_COUNT(&all));
    size_t first = 0;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(fth_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_int_equal(fth_processors(), CPU_COUNT(&all));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_those_of_the_mask)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
