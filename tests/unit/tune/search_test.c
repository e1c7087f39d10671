/* The search and its verdict, with runs whose times are known: settings that help are found within
 * the runs that there are, and settings that do not are not. Choices of a run; hints files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tune/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MS INT64_C(1000000)

/* A program: how long it takes with which settings. */
struct program {
    int64_t unchanged, enable, sieving, pieces; /* ns */
    size_t runs, fails_at, refused_at;
    bool limits;
    char order[64]; /* of the runs: u(nchanged), c(hanged) */
};

static int64_t time_with(const struct program *program, const struct fth_tune_choice *choice)
{
    const char *buffering = choice ? fth_tune_choice_get(choice, "romio_cb_write") : NULL,
               *sieving = choice ? fth_tune_choice_get(choice, "romio_ds_write") : NULL,
               *nodes = choice ? fth_tune_choice_get(choice, "cb_nodes") : NULL;
    if (!choice)
        return program->unchanged;
    if (buffering && !strcmp(buffering, "enable"))
        return program->enable / (nodes && !strcmp(nodes, "4") ? 2 : 1);
    return sieving && !strcmp(sieving, "enable") ? program->sieving : program->pieces;
}

static enum fth_tune_outcome measure(void *context, const struct fth_tune_choice *choice,
                                     int64_t most, int64_t *time, struct fth_error **error)
{
    struct program *program = context;
    if (program->runs < sizeof program->order - 1)
        program->order[program->runs] = choice ? 'c' : 'u';
    if (++program->runs == program->fails_at) {
        fth_fail(error, "it failed");
        return FTH_TUNE_FAILED;
    }
    if (choice && program->runs == program->refused_at) {
        fth_fail(error, "it is refused");
        return FTH_TUNE_REFUSED;
    }
    /* no two runs take the same time */
    *time = time_with(program, choice) + (int64_t)program->runs * 1000;
    if (most && *time > most) {
        program->limits = true;
        return FTH_TUNE_TOO_SLOW;
    }
    return FTH_TUNE_RAN;
}

static struct fth_tune_run run_of_writes(void)
{
    return (struct fth_tune_run){.ranks = 4,
                                 .library = FTH_TUNE_ROMIO,
                                 .effects =
                                     FTH_TUNE_ON_WRITES_TOGETHER | FTH_TUNE_ON_PIECES_WRITTEN};
}

static struct fth_tune_judgement judge(struct program *program, bool all, char *best, size_t size)
{
    struct fth_tune_run run = run_of_writes();
    struct fth_tune_hints before = {0};
    struct fth_tune_choices choices;
    struct fth_error *error = NULL;
    fth_tune_choices_make(&choices, &run, &before);
    fth_tune_choices_sort(&choices);
    struct fth_tune_search search = {
        .measure = measure, .context = program, .runs = 12, .made = 1, .all = all};
    assert_int_equal(fth_tune_search(&search, &choices, &error), 0);
    assert_int_equal(search.made, program->runs + 1);
    char *text = search.best ? fth_tune_choice_text(search.best) : NULL;
    snprintf(best, size, "%s", text ? text : "");
    free(text);
    struct fth_tune_judgement judgement = fth_tune_judge(&search);
    fth_tune_choices_free(&choices);
    return judgement;
}

static void what_helps_is_found(void **state)
{
    (void)state;
    char best[200];
    struct program program = {1000 * MS, 900 * MS, 100 * MS, 800 * MS, 0, 0, 0, false, ""};
    struct fth_tune_judgement judgement = judge(&program, false, best, sizeof best);
    assert_int_equal(judgement.verdict, FTH_TUNE_HELPS);
    assert_true(program.runs + 1 <= 12);
    assert_non_null(strstr(best, "romio_ds_write=enable"));
    assert_true(judgement.p < 0.03 && judgement.changed < 101 * MS);
    /* pairs begin with one and the other in turns */
    assert_string_equal(program.order + strlen(program.order) - 6, "uccuuc");
}

static void what_is_refused_in_a_pair_is_none(void **state)
{
    (void)state;
    char best[200];
    const struct program accepts = {1000 * MS, 900 * MS, 100 * MS, 800 * MS, 0, 0, 0, false, ""};
    struct program program = accepts;
    judge(&program, false, best, sizeof best);
    size_t first_changed = program.runs - 4;
    program = accepts;
    program.refused_at = first_changed;
    struct fth_tune_judgement judgement = judge(&program, false, best, sizeof best);
    assert_int_equal(judgement.verdict, FTH_TUNE_NOTHING_HELPS);
    assert_string_equal(best, "");
    assert_int_equal(program.runs, first_changed);
}

static void sizes_count_when_all_are_tried(void **state)
{
    (void)state;
    char best[200];
    struct program program = {1000 * MS, 300 * MS, 600 * MS, 800 * MS, 0, 0, 0, false, ""};
    struct fth_tune_judgement judgement = judge(&program, true, best, sizeof best);
    assert_int_equal(judgement.verdict, FTH_TUNE_HELPS);
    assert_non_null(strstr(best, "cb_nodes=4"));
    assert_true(program.runs > 15);
}

static void what_does_not_help_is_none(void **state)
{
    (void)state;
    char best[200];
    struct program program = {1000 * MS, 2100 * MS, 990 * MS, 1500 * MS, 0, 0, 0, false, ""};
    struct fth_tune_judgement judgement = judge(&program, false, best, sizeof best);
    assert_int_equal(judgement.verdict, FTH_TUNE_NOTHING_HELPS);
    assert_true(program.runs <= 5); /* no pairs */
}

static void what_takes_too_long_is_ended(void **state)
{
    (void)state;
    char best[200];
    struct program program = {10000 * MS, 60000 * MS, 90000 * MS, 5000 * MS, 0, 0, 0, false, ""};
    struct fth_tune_judgement judgement = judge(&program, false, best, sizeof best);
    assert_true(program.limits);
    assert_int_equal(judgement.verdict, FTH_TUNE_HELPS);
    assert_non_null(strstr(best, "romio_ds_write=disable"));
    program = (struct program){1000 * MS, 19000 * MS, 19000 * MS, 500 * MS, 0, 0, 0, false, ""};
    judge(&program, false, best, sizeof best);
    assert_false(program.limits); /* of a short program, runs may take 20 s */
}

/* Three of four against three: what is mixed is not sure, and what is slower is no gain. */
static void what_may_be_noise_is_not_sure(void **state)
{
    (void)state;
    struct fth_tune_search search = {.unchanged = {100 * MS, 120 * MS, 90 * MS, 110 * MS},
                                     .unchanged_count = 4,
                                     .changed = {101 * MS, 95 * MS, 92 * MS},
                                     .changed_count = 3};
    struct fth_tune_judgement judgement = fth_tune_judge(&search);
    assert_int_equal(judgement.verdict, FTH_TUNE_NOT_SURE);
    assert_true(judgement.p > 0.05 && judgement.p < 0.5);
    for (size_t i = 0; i < 3; i++)
        search.changed[i] += 100 * MS;
    judgement = fth_tune_judge(&search);
    assert_int_equal(judgement.verdict, FTH_TUNE_NOTHING_HELPS);
    assert_true(judgement.p > 0.95);
}

static void what_is_simulated_as_faster_comes_first(void **state)
{
    (void)state;
    struct fth_tune_run run = run_of_writes();
    struct fth_tune_hints before = {0};
    struct fth_tune_choices choices;
    fth_tune_choices_make(&choices, &run, &before);
    choices.list[2].simulated = 7;
    choices.list[choices.count - 1].simulated = 5;
    choices.list[0].speaks = 3;
    choices.list[4].speaks = 4;
    fth_tune_choices_sort(&choices);
    assert_int_equal(choices.list[0].simulated, 5);
    assert_int_equal(choices.list[1].simulated, 7);
    assert_int_equal(choices.list[2].speaks, 4);
    assert_int_equal(choices.list[3].speaks, 3);
    fth_tune_choices_free(&choices);
}

static void a_run_that_fails_ends_it(void **state)
{
    (void)state;
    struct program program = {1000 * MS, 900 * MS, 100 * MS, 800 * MS, 0, 3, 0, false, ""};
    struct fth_tune_run run = run_of_writes();
    struct fth_tune_hints before = {0};
    struct fth_tune_choices choices;
    struct fth_error *error = NULL;
    fth_tune_choices_make(&choices, &run, &before);
    struct fth_tune_search search = {
        .measure = measure, .context = &program, .runs = 12, .made = 1};
    assert_int_equal(fth_tune_search(&search, &choices, &error), -1);
    assert_string_equal(fth_error_text(error), "it failed");
    assert_int_equal(program.runs, 3);
    fth_error_free(error);
    fth_tune_choices_free(&choices);
}

static bool any_has(const struct fth_tune_choices *choices, const char *parameter)
{
    for (size_t i = 0; i < choices->count; i++)
        if (fth_tune_choice_get(&choices->list[i], parameter))
            return true;
    return false;
}

/* Enable with 3 numbers of nodes and 4 sizes; disable with two sizes of sieving, or without it. */
static void choices_have_an_effect(void **state)
{
    (void)state;
    struct fth_tune_run run = run_of_writes();
    struct fth_tune_hints before = {0};
    struct fth_tune_choices choices;
    fth_tune_choices_make(&choices, &run, &before);
    assert_int_equal(choices.count, 3 * 4 + 2 + 1);
    assert_false(any_has(&choices, "romio_cb_read") || any_has(&choices, "striping_unit"));
    fth_tune_choices_free(&choices);
    char *fixed[] = {(char[]){"cb_nodes"}};
    run.fixed = fixed;
    run.fixed_count = 1;
    fth_tune_choices_make(&choices, &run, &before);
    assert_int_equal(choices.count, 4 + 2 + 1);
    assert_false(any_has(&choices, "cb_nodes"));
    fth_tune_choices_free(&choices);
}

static void stripes_take_part_where_there_are_any(void **state)
{
    (void)state;
    struct fth_tune_run run = run_of_writes();
    struct fth_tune_hints before = {0};
    struct fth_tune_choices choices;
    run.effects |= FTH_TUNE_ON_STRIPES;
    fth_tune_choices_make(&choices, &run, &before);
    assert_true(any_has(&choices, "striping_factor") && any_has(&choices, "striping_unit"));
    fth_tune_choices_free(&choices);
}

/* A program of MPI-IO gets a model of the file system where a finding speaks for it. */
static void models_are_for_those_without_mpi_io(void **state)
{
    (void)state;
    const char *const models[] = {"session", NULL};
    for (int has_much = 0; has_much < 2; has_much++) {
        struct fth_tune_run run = run_of_writes();
        struct fth_tune_hints before = {0};
        struct fth_tune_choices choices;
        run.models = models;
        run.whole = 1000 * MS;
        run.file_time = has_much ? 500 * MS : 0;
        fth_tune_choices_make(&choices, &run, &before);
        assert_int_equal(any_has(&choices, FTH_TUNE_MODEL), !has_much);
        assert_int_equal(any_has(&choices, "romio_cb_write"), has_much);
        fth_tune_choices_free(&choices);
    }
}

/* What is set already is no choice. */
static void what_is_set_is_left_out(void **state)
{
    (void)state;
    struct fth_tune_run run = run_of_writes();
    struct fth_tune_hints before = {0};
    struct fth_tune_choices choices;
    fth_tune_hints_set(&before, "romio_cb_write", "disable");
    fth_tune_hints_set(&before, "romio_ds_write", "disable");
    fth_tune_choices_make(&choices, &run, &before);
    assert_int_equal(choices.count, 3 * 4 + 2);
    fth_tune_choices_free(&choices);
    fth_tune_hints_free(&before);
}

static void hints_are_read_as_romio_does(void **state)
{
    (void)state;
    char path[] = "/tmp/hints-XXXXXX";
    struct fth_tune_hints hints = {0};
    int descriptor = mkstemp(path);
    static const char text[] = "# cb_nodes 9\n\ncb_nodes   4\ncb_nodes 5\nalone\nthree words here\n"
                               "romio_cb_write\tenable";
    assert_int_equal(write(descriptor, text, sizeof text - 1), sizeof text - 1);
    close(descriptor);
    assert_int_equal(fth_tune_hints_read(&hints, path, NULL), 0);
    unlink(path);
    assert_int_equal(hints.count, 2);
    assert_string_equal(fth_tune_hints_get(&hints, "cb_nodes"), "4");
    assert_string_equal(fth_tune_hints_get(&hints, "romio_cb_write"), "enable");
    fth_tune_hints_free(&hints);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_helps_is_found),
        cmocka_unit_test(what_is_refused_in_a_pair_is_none),
        cmocka_unit_test(sizes_count_when_all_are_tried),
        cmocka_unit_test(what_does_not_help_is_none),
        cmocka_unit_test(what_takes_too_long_is_ended),
        cmocka_unit_test(what_may_be_noise_is_not_sure),
        cmocka_unit_test(what_is_simulated_as_faster_comes_first),
        cmocka_unit_test(a_run_that_fails_ends_it),
        cmocka_unit_test(choices_have_an_effect),
        cmocka_unit_test(stripes_take_part_where_there_are_any),
        cmocka_unit_test(models_are_for_those_without_mpi_io),
        cmocka_unit_test(what_is_set_is_left_out),
        cmocka_unit_test(hints_are_read_as_romio_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
