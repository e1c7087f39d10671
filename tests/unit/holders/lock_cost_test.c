/* Tokens cost what the model says (C. Wang, 2022, table 5.8): means per node over random orders. */
#include "holders/lock_cost.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { NODES = 8, PROCESSES = 8, OPERATIONS = 10, RUNS = 300 };

static struct fth_lock_cost cost(enum fth_workload workload, enum fth_grant grant,
                                 enum fth_give give)
{
    return fth_lock_cost(
        &(struct fth_lock_work){workload, grant, give, NODES, PROCESSES, OPERATIONS, RUNS, 7});
}

static void assert_near(double is, double expected, double by)
{
    assert_true(is > expected - by && is < expected + by);
}

static void test_exact(void **state)
{
    (void)state;
    for (int workload = 0; workload < 3; workload++) {
        struct fth_lock_cost is =
            cost((enum fth_workload)workload, FTH_GRANT_EXACT, FTH_GIVE_SPLIT);
        assert_near(is.granted, PROCESSES * OPERATIONS, 1e-9);
        assert_near(is.local + is.conflicts, 0, 1e-9);
    }
}

static void test_extend(void **state)
{
    double harmonic = 0;
    (void)state;
    for (int w = 1; w <= PROCESSES; w++)
        harmonic += 1.0 / w;
    struct fth_lock_cost fpp = cost(FTH_WORKLOAD_FPP, FTH_GRANT_EXTEND, FTH_GIVE_SPLIT);
    assert_near(fpp.granted, PROCESSES, 1e-9);
    assert_near(fpp.local, PROCESSES * OPERATIONS - PROCESSES, 1e-9);
    struct fth_lock_cost whole = cost(FTH_WORKLOAD_CONTIGUOUS, FTH_GRANT_EXTEND, FTH_GIVE_SPLIT);
    assert_near(whole.granted, 1.0 / NODES, 0.01);
    assert_near(whole.conflicts, harmonic, 0.15);
    struct fth_lock_cost strided = cost(FTH_WORKLOAD_STRIDED, FTH_GRANT_EXTEND, FTH_GIVE_SPLIT);
    assert_near(strided.conflicts, OPERATIONS * harmonic, 0.5);
    assert_near(strided.granted + strided.local + strided.conflicts, PROCESSES * OPERATIONS, 1e-9);
}

/* Who gives up the whole token and not a part is asked again and again. */
static void test_revoke(void **state)
{
    (void)state;
    assert_near(cost(FTH_WORKLOAD_CONTIGUOUS, FTH_GRANT_EXTEND, FTH_GIVE_REVOKE).conflicts, 69.5,
                1.5);
    assert_near(cost(FTH_WORKLOAD_STRIDED, FTH_GRANT_EXTEND, FTH_GIVE_REVOKE).conflicts, 71.0, 1.5);
}

/* Readers share; a writer takes the token from all of them. */
static void test_readers_and_a_writer(void **state)
{
    struct fth_lock_tokens tokens = {.nodes = NULL};
    struct fth_interval granted;
    (void)state;
    assert_int_equal(fth_lock_tokens_request(&tokens, 1, 0, 4, FTH_TOKEN_READ, FTH_GRANT_EXACT,
                                             FTH_GIVE_SPLIT, NULL),
                     FTH_TOKEN_GRANTED);
    assert_int_equal(fth_lock_tokens_request(&tokens, 2, 2, 6, FTH_TOKEN_READ, FTH_GRANT_EXACT,
                                             FTH_GIVE_SPLIT, NULL),
                     FTH_TOKEN_GRANTED);
    assert_int_equal(fth_lock_tokens_request(&tokens, 3, 3, 4, FTH_TOKEN_WRITE, FTH_GRANT_EXACT,
                                             FTH_GIVE_SPLIT, NULL),
                     FTH_TOKEN_CONFLICT);
    assert_int_equal(fth_lock_tokens_request(&tokens, 1, 0, 3, FTH_TOKEN_READ, FTH_GRANT_EXACT,
                                             FTH_GIVE_SPLIT, NULL),
                     FTH_TOKEN_LOCAL);
    assert_int_equal(fth_lock_tokens_request(&tokens, 3, 0, 1, FTH_TOKEN_READ, FTH_GRANT_EXTEND_END,
                                             FTH_GIVE_SPLIT, &granted),
                     FTH_TOKEN_GRANTED);
    assert_true(granted.begin == 0 && granted.end == UINT64_MAX);
    assert_int_equal(fth_lock_tokens_request(&tokens, 3, 3, 4, FTH_TOKEN_WRITE, FTH_GRANT_EXACT,
                                             FTH_GIVE_SPLIT, NULL),
                     FTH_TOKEN_LOCAL);
    fth_lock_tokens_release(&tokens, 3, 0, UINT64_MAX);
    assert_int_equal(fth_lock_tokens_request(&tokens, 3, 3, 4, FTH_TOKEN_WRITE, FTH_GRANT_EXACT,
                                             FTH_GIVE_SPLIT, NULL),
                     FTH_TOKEN_GRANTED);
    fth_lock_tokens_free(&tokens);
}

/* Who gives up what was requested only keeps the rest, on both sides. */
static void test_exact_loss(void **state)
{
    struct fth_lock_tokens tokens = {.nodes = NULL};
    struct fth_interval missing;
    (void)state;
    fth_lock_tokens_request(&tokens, 1, 0, 100, FTH_TOKEN_WRITE, FTH_GRANT_EXACT, FTH_GIVE_EXACT,
                            NULL);
    fth_lock_tokens_request(&tokens, 1, 100, 200, FTH_TOKEN_READ, FTH_GRANT_EXACT, FTH_GIVE_EXACT,
                            NULL);
    assert_true(fth_lock_tokens_has(&tokens, 1, 0, 200, &missing));
    assert_int_equal(fth_lock_tokens_request(&tokens, 2, 40, 60, FTH_TOKEN_READ, FTH_GRANT_EXACT,
                                             FTH_GIVE_EXACT, NULL),
                     FTH_TOKEN_CONFLICT);
    assert_true(fth_lock_tokens_has(&tokens, 1, 0, 40, &missing));
    assert_true(fth_lock_tokens_has(&tokens, 1, 60, 200, &missing));
    assert_true(fth_lock_tokens_has(&tokens, 2, 40, 60, &missing));
    assert_false(fth_lock_tokens_has(&tokens, 1, 10, 90, &missing));
    assert_true(missing.begin == 40 && missing.end == 60);
    assert_false(fth_lock_tokens_has(&tokens, 1, 150, 300, &missing));
    assert_true(missing.begin == 200 && missing.end == 300);
    assert_false(fth_lock_tokens_has(&tokens, 3, 0, 1, &missing));
    assert_true(missing.begin == 0 && missing.end == 1);
    fth_lock_tokens_free(&tokens);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),      cmocka_unit_test(test_extend),
        cmocka_unit_test(test_revoke),     cmocka_unit_test(test_readers_and_a_writer),
        cmocka_unit_test(test_exact_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
