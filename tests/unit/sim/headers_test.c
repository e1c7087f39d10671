/* The public headers can be included together. */
#include "fathom/access.h"
#include "fathom/files.h"
#include "fathom/mark.h"
#include "fathom/samples.h"
#include "fathom/sim.h"
#include "fathom/trace.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void ranges_are_two_types(void **state)
{
    (void)state;
    const struct fth_range read = {4096, 8};
    const struct fth_command_range asked = {read.offset, read.length};
    assert_int_equal(asked.offset, 4096);
    assert_int_equal(asked.bytes, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_are_two_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
