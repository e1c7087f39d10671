/* Which blind spots may hide accesses to files. */
#include "trace/program/hides.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_kinds(void **state)
{
    (void)state;
    assert_int_equal(fth_blind_spot_hides("functions as regions: no function"),
                     FTH_HIDES_NO_ACCESS);
    assert_int_equal(fth_blind_spot_hides("the lines of Python: its version is not known: 3.99"),
                     FTH_HIDES_NO_ACCESS);
    assert_int_equal(fth_blind_spot_hides("hdf5 calls of /lib/x.so: its HDF5 is incomplete"),
                     FTH_HIDES_A_LIBRARY);
    assert_int_equal(fth_blind_spot_hides("a.out, b.out: linked statically with HDF5, whose calls"),
                     FTH_HIDES_A_LIBRARY);
    assert_int_equal(fth_blind_spot_hides("./w is a static program: it does not load the tracer"),
                     FTH_HIDES_ACCESSES);
    /* What is not known hides all that it could. */
    assert_int_equal(fth_blind_spot_hides("this run was simulated: it has no nested calls"),
                     FTH_HIDES_BELOW_A_LIBRARY);
    assert_int_equal(fth_blind_spot_hides("something new"), FTH_HIDES_ACCESSES);
    assert_int_equal(fth_blind_spot_hides("./a: functions as regions: no"), FTH_HIDES_ACCESSES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
