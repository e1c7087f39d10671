/* The largest of random values, and the first one that is larger, held against looking at each. */
#include "verify/gather/largest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 2000, MOST_VALUES = 40, MOST = 16 };

static void rows_are_as_looked_at(void **context)
{
    (void)context;
    uint64_t values[MOST_VALUES];
    srand(1);
    for (int row = 0; row < ROWS; row++) {
        size_t count = (size_t)rand() % MOST_VALUES;
        struct fth_largest largest = fth_largest_new(count);
        for (size_t i = 0; i < count; i++)
            fth_largest_put(&largest, i, values[i] = (uint64_t)(rand() % MOST));
        fth_largest_settle(&largest);
        size_t from = (size_t)rand() % (count + 1), to = from + (size_t)rand() % (count + 1 - from);
        uint64_t found = 0, than = (uint64_t)(rand() % MOST);
        for (size_t i = from; i < to; i++)
            found = values[i] > found ? values[i] : found;
        assert_int_equal(fth_largest_in(&largest, from, to), found);
        size_t first = from;
        while (first < count && values[first] <= than)
            first++;
        assert_int_equal(fth_largest_first(&largest, from, than), first);
        fth_largest_free(&largest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_as_looked_at)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
