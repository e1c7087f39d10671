/* Calls whose values are all in their signature move the cursor of their handle by what
 * fth_cursor_motion_of says, as fth_state_resolve does call by call. */
#include "trace/record/builtin.h"
#include "trace/record/spill.h"
#include "trace/state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SLOT = 3, ROUNDS = 2000 };

/* Small ones, failures, whence of POSIX and MPI, and what leads to no place in a file. */
static int64_t random_value(void)
{
    static const int64_t others[] = {
        -1, 0, 1, 2, 600, 602, FTH_FAILED + 5, FTH_ABSENT, INT64_MAX, (int64_t)1 << 61};
    if (random() % 2)
        return random() % 100000 - 50000;
    return others[random() % (long)(sizeof others / sizeof *others)];
}

static void make_signature(struct fth_signature *signature, uint32_t function,
                           const struct fth_meaning *meaning)
{
    *signature =
        (struct fth_signature){.function = function, .count = (uint32_t)meaning->value_count};
    for (unsigned i = 0; i < signature->count; i++)
        signature->values[i] = random_value();
    signature->values[meaning->about.handle] = SLOT;
}

static bool has_cursor(const struct fth_meaning *meaning)
{
    return meaning->step_count && meaning->about.handle >= 0 && meaning->about.handle_class >= 0;
}

/* One call of the function, in both ways. True: its motion is known. */
static bool both_ways(struct fth_thread_state *resolved, struct fth_thread_state *moved,
                      uint32_t function)
{
    const struct fth_meaning *meaning = fth_builtin_meaning(function);
    struct fth_signature signature;
    struct fth_cursor_motion motion;
    int64_t values[FTH_MOST_VALUES + 1];
    if (!has_cursor(meaning))
        return false;
    make_signature(&signature, function, meaning);
    if (!fth_cursor_motion_of(meaning, &signature, &motion))
        return false;
    memcpy(values, signature.values, signature.count * sizeof *values);
    fth_state_resolve(resolved, &signature, values);
    int class_index = meaning->about.handle_class;
    fth_state_move(moved, class_index, SLOT, &motion);
    const struct fth_cursor_state *one = fth_state_cursor(resolved, class_index, SLOT),
                                  *other = fth_state_cursor(moved, class_index, SLOT);
    assert_int_equal(one->end, other->end);
    assert_int_equal(one->view, other->view);
    return true;
}

static void moves_as_resolved(void **state)
{
    (void)state;
    const struct fth_catalog *catalog = fth_builtin_catalog();
    struct fth_process_names names;
    struct fth_thread_state resolved, moved;
    unsigned known = 0;
    fth_process_names_init(&names);
    fth_thread_state_init(&resolved, catalog, &names, fth_builtin_meanings());
    fth_thread_state_init(&moved, catalog, &names, fth_builtin_meanings());
    srandom(1);
    for (int round = 0; round < ROUNDS / 100; round++)
        for (uint32_t function = 0; function < catalog->row_count; function++)
            for (int i = 0; i < 5; i++)
                known += both_ways(&resolved, &moved, function);
    assert_true(known > ROUNDS);
    fth_thread_state_free(&resolved);
    fth_thread_state_free(&moved);
    fth_process_names_free(&names);
}

static void others_are_not_known(void **state)
{
    (void)state;
    struct fth_cursor_motion motion;
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (uint32_t function = 0; function < catalog->row_count; function++) {
        const struct fth_meaning *meaning = fth_builtin_meaning(function);
        struct fth_signature signature = {.function = function, .mask = 1};
        assert_false(fth_cursor_motion_of(meaning, &signature, &motion));
        signature = (struct fth_signature){.function = function, .steps = 1};
        assert_false(fth_cursor_motion_of(meaning, &signature, &motion));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(moves_as_resolved),
                                       cmocka_unit_test(others_are_not_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
