/* The language of consistency models: what is built in, and errors that name their place. */
#include "consistency/language.h"
#include "fathom/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_built_in(void **unused)
{
    (void)unused;
    static const char *const names[] = {"posix", "commit", "session", "mpi-io", "eventual"};
    struct fth_consistencies models = {0};
    fth_consistency_built_in(&models);
    assert_int_equal(models.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_non_null(fth_consistency_find(&models, names[i]));
    const struct fth_consistency *session = fth_consistency_find(&models, "session");
    assert_string_equal(session->weaker, "commit");
    assert_int_equal(session->constructs[0].step_count, 2);
    assert_int_equal(session->constructs[0].steps[0].relation, FTH_PROGRAM_ORDER);
    assert_int_equal(session->constructs[0].steps[1].relation, FTH_HAPPENS_BEFORE);
    assert_int_equal(session->constructs[0].last, FTH_PROGRAM_ORDER);
    assert_int_equal(session->constructs[1].conditions, FTH_X_READS);
    assert_string_equal(session->systems[2], "DDN IME");
    fth_consistencies_free(&models);
}

/* After C. Wang's table of file systems by their semantics. */
static void test_systems(void **unused)
{
    (void)unused;
    static const struct {
        const char *model, *systems[12];
    } table[] = {
        {"posix",
         {"Lustre", "GPFS", "BeeGFS", "GekkoFS", "BatchFS", "OrangeFS", "PVFS2", "GFS",
          "a local file system"}},
        {"commit", {"UnifyFS", "SymphonyFS", "BurstFS", "BSCFS"}},
        {"session", {"NFS", "AFS", "DDN IME", "Gfarm/BB"}},
        {"eventual", {"PLFS", "echofs", "MarFS"}},
        {"mpi-io", {NULL}},
    };
    struct fth_consistencies models = {0};
    fth_consistency_built_in(&models);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct fth_consistency *model = fth_consistency_find(&models, table[i].model);
        size_t count = 0;
        for (; table[i].systems[count]; count++) {
            assert_true(count < model->system_count);
            assert_string_equal(model->systems[count], table[i].systems[count]);
        }
        assert_int_equal(model->system_count, count);
    }
    fth_consistencies_free(&models);
}

static void test_errors(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "m: the file contains no model; a model begins with `model NAME`"},
        {"set a = b\n", "m:1:1: expected 'model' and a name instead of 'set'"},
        {"model\n", "m:1:6: expected a name for the model, other than 'all'"},
        {"model a\nab\x7f", "m:2:3: expected text, not control characters"},
        {"model a\non \xc2\x9b", "m:2:4: expected text, not control characters"},
        {"model all", "m:1:7: expected a name for the model, other than 'all' instead of 'all'"},
        {"model a\nmodel a", "m:2:7: expected a name that no other model has instead of 'a'"},
        {"model a\n  order x hb y\n",
         "m: the model 'a' does not say which accesses it covers: add `accesses posix` or "
         "`accesses mpiio`"},
        {"model a\n  accesses posix\n  order y hb x\n",
         "m:3:9: expected 'x', the earlier access instead of 'y'"},
        {"model a\n  accesses posix\n  order x near y\n",
         "m:3:11: expected 'po' (by the same process) or 'hb' (happens before) instead of 'near'"},
        {"model a\n  accesses posix\n  order x po s hb y\n",
         "m:3:14: expected 'y', or a set of this model (`set NAME = ...` above) instead of 's'"},
        {"model a\n  accesses posix\n  order x po\n",
         "m:3:13: expected 'y', or a set of this model (`set NAME = ...` above)"},
        {"model a\n  accesses posix\n  order x hb y when z\n",
         "m:3:21: expected 'atomic', 'x reads', 'y writes', 'x truncates' ... instead of "
         "'z'"},
        {"model a\n  accesses posix\n  set x = f\n",
         "m:3:7: expected a name for the set, other than x and y instead of 'x'"},
        {"model a\n  accesses posix\n  weaker than b\n",
         "m:3:15: expected the name of a model further above instead of 'b'"},
        {"model a\n  accesses posix\n  on A,,B\n", "m:3:8: expected the name of a file system"},
        {"model a\n  accesses posix\n  alone B x po y\n",
         "m:3:17: expected ':' after the names of file systems"},
        {"model a\n  accesses posix\n  alone B: x hb y\n",
         "m:3:12: expected 'never', or 'x po SET po y' (both within one process) instead of 'x hb "
         "y'"},
        {"model a\n  accesses posix\n  needs b\n",
         "m:3:3: expected 'model', 'about', 'accesses', 'set', 'order', 'appends', 'alone', "
         "'on' or 'weaker "
         "than' "
         "instead of 'needs'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_consistencies models = {0};
        struct fth_error *error = NULL;
        assert_int_equal(
            fth_consistency_parse(&models, "m", cases[i].text, strlen(cases[i].text), &error), -1);
        assert_string_equal(fth_error_text(error), cases[i].error);
        fth_error_free(error);
        fth_consistencies_free(&models);
    }
}

static void test_keep(void **unused)
{
    (void)unused;
    struct fth_consistencies models = {0};
    fth_consistency_built_in(&models);
    fth_consistency_keep(&models, "commit");
    assert_int_equal(models.count, 1);
    assert_string_equal(models.models[0].name, "commit");
    assert_null(models.models[0].weaker);
    fth_consistencies_free(&models);
}

/* A call is in a set by its name, and by what it means: in one layer, or in any that says so. What
 * opens one file and closes another is an open as a call, and closes apart from that. */
static void words_stand_for_what_functions_mean(void **unused)
{
    (void)unused;
    static const char text[] = "model own\n accesses posix\n set a = syncs closes\n"
                               " set b = mpiio:closes\n set c = opens fdatasync\n";
    static const struct fth_function fsync = {.name = "x", .layer = "posix", .syncs = true},
                                     close = {.name = "x", .layer = "mpiio", .closes = true},
                                     other = {.name = "x", .layer = "mpi", .closes = true},
                                     both = {.name = "x",
                                             .layer = "stdio",
                                             .opens = true,
                                             .closes = true},
                                     named = {.name = "fdatasync", .layer = "posix"},
                                     nothing = {.name = "x", .layer = "posix"};
    struct fth_consistencies models = {0};
    struct fth_error *error = NULL;
    assert_int_equal(fth_consistency_parse(&models, "own", text, sizeof text - 1, &error), 0);
    const struct fth_consistency_set *a = models.models[0].sets, *b = a + 1, *c = a + 2;
    assert_true(fth_consistency_set_has(a, &fsync, FTH_MARK_CALL));
    assert_true(fth_consistency_set_has(a, &close, FTH_MARK_CALL));
    assert_false(fth_consistency_set_has(a, &both, FTH_MARK_CALL));
    assert_true(fth_consistency_set_has(a, &both, FTH_MARK_CLOSES));
    assert_false(fth_consistency_set_has(a, &nothing, FTH_MARK_CALL));
    assert_false(fth_consistency_set_has(a, NULL, FTH_MARK_PROCESS_END));
    assert_true(fth_consistency_set_has(b, &close, FTH_MARK_CALL));
    assert_false(fth_consistency_set_has(b, &other, FTH_MARK_CALL));
    assert_true(fth_consistency_set_has(c, &both, FTH_MARK_CALL));
    assert_true(fth_consistency_set_has(c, &named, FTH_MARK_CALL));
    assert_false(fth_consistency_set_has(c, &fsync, FTH_MARK_CALL));
    fth_consistencies_free(&models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_systems),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_keep),
        cmocka_unit_test(words_stand_for_what_functions_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
