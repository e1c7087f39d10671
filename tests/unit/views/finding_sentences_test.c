/* What is said where no finding is shown: what took most of the time, unless that is the start and
 * the end of MPI, which is said by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "views/sentences/finding_sentences.h"

#include <string.h>

static const struct fth_function functions[] = {
    {.name = "MPI_Bcast", .layer = "mpi", .kind = "collective"},
    {.name = "read", .layer = "posix", .kind = "read"}};
static struct fth_process process = {.calls = 1, .how_ended = "exit"};
size_t fth_trace_function_count(const struct fth_trace *trace)
{
    (void)trace;
    return 2;
}
const struct fth_function *fth_trace_function(const struct fth_trace *trace, size_t index)
{
    (void)trace;
    return &functions[index];
}
const struct fth_trace_info *fth_trace_info(const struct fth_trace *trace)
{
    static const struct fth_trace_info info;
    (void)trace;
    return &info;
}
size_t fth_trace_process_count(const struct fth_trace *trace)
{
    (void)trace;
    return 1;
}
const struct fth_process *fth_trace_process(const struct fth_trace *trace, size_t proc)
{
    (void)trace;
    (void)proc;
    return &process;
}

/* The heading where a layer has this share, and MPI took so much to start and to end. */
static const char *heading(const char *layer, double share, double mpi_share)
{
    static const struct fth_column columns[] = {{.name = "layer"}, {.name = "share"}};
    static const struct fth_shape shape = {.name = "time", .columns = columns, .column_count = 2};
    struct fth_table *table = fth_table_new(&shape);
    const char *names[] = {layer, "the program's own"};
    for (size_t i = 0; i < 2; i++) {
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, 0, fth_cell_text(names[i]));
        fth_table_set(table, row, 1, fth_cell_real(i ? 100 - share : share));
    }
    struct fth_report_view view = {0};
    struct fth_results results = {.table_count = 1,
                                  .tables = &table,
                                  .whole = 1000,
                                  .lifetime.time = 1000,
                                  .mpi_share = mpi_share};
    static int trace;
    const char *text = fth_views_heading((const struct fth_trace *)&trace, &results, &view);
    fth_table_free(table);
    return text;
}

static void the_start_and_end_of_mpi_is_no_work(void **state)
{
    (void)state;
    assert_string_equal(heading("mpi", 62, 60),
                        "Nothing stands out beside the start and the end of MPI");
    assert_string_equal(heading("mpi", 62, 11),
                        "No findings, although 62.0 % of the thread time went to the layer mpi");
    assert_string_equal(heading("posix", 62, 30),
                        "No findings, although 62.0 % of the thread time went to the layer posix");
}

/* A line above says that it was killed: that does stand out. */
static void a_process_that_was_killed_stands_out(void **state)
{
    (void)state;
    process.cut_off = true;
    process.how_ended = "signal 9";
    assert_string_equal(heading("mpi", 10, 0), "Nothing else stands out");
    process.how_ended = "detached";
    assert_string_equal(heading("mpi", 10, 0), "Nothing stands out");
    process.cut_off = false;
    process.how_ended = "exit";
    assert_string_equal(heading("mpi", 10, 0), "Nothing stands out");
}

static void the_start_and_end_of_mpi_is_shown_without_findings(void **state)
{
    (void)state;
    struct fth_survey_lifetime lifetime = {.threads = 1};
    struct fth_table *times[1] = {NULL};
    struct fth_results results = {.mpi_share = 60,
                                  .whole = 2000000000,
                                  .lifetime = lifetime,
                                  .tables = times,
                                  .table_count = 1};
    assert_string_equal(fth_views_base(&results, false),
                        "Starting and ending MPI took 60.0 % of all time.");
    assert_string_equal(
        fth_views_base(&results, true),
        "Starting and ending MPI took 60.0 % of all time. Shares of findings refer to the rest, "
        "800 ms.");
    results.mpi_share = 6;
    assert_null(fth_views_base(&results, false));
    assert_string_equal(
        fth_views_base(&results, true),
        "Starting and ending MPI took 6.0 % of all time. Shares of findings refer to the rest, "
        "1.88 s.");
    results.mpi_share = 0;
    assert_null(fth_views_base(&results, true)); /* the table of times names it */
    results.path = 1500000000;
    assert_string_equal(fth_views_base(&results, true),
                        "Shares of findings refer to the run time of all processes, 2.00 s.");
}

static void keep(void *to, const char *sentence)
{
    strcpy(to, sentence);
}

/* A finding explains another one from half of it on: that is no more than what may be said. */
static void no_more_is_explained_than_was_compared(void **state)
{
    (void)state;
    char text[240] = "";
    struct fth_finding list[] = {
        {.kind = "ranks", .title = "More ranks", .severity = 44000000, .times = 1},
        {.kind = "late", .title = "Late sender", .severity = 77000000, .times = 1}};
    struct fth_results results = {.findings = {.list = list, .count = 2}};
    list[1].part_of = "ranks";
    fth_views_relations(&results, &list[0], keep, text);
    assert_string_equal(text, "It may explain half or more of: Late sender, 77.0 ms.");
    fth_views_relations(&results, &list[1], keep, text);
    assert_string_equal(text, "Half or more of this may be due to: More ranks.");
    list[1].severity = 99000000; /* the gain is half of the other, and what is printed is not */
    fth_views_relations(&results, &list[0], keep, text);
    assert_string_equal(text, "It may explain part of: Late sender, 99.0 ms.");
    list[1].part_of = NULL;
    list[1].severity = 50000000;
    list[1].partly_due_to = "ranks";
    fth_views_relations(&results, &list[0], keep, text);
    assert_string_equal(text, "It may explain part of: Late sender, 50.0 ms.");
    fth_views_relations(&results, &list[1], keep, text);
    assert_string_equal(text, "Part of this may be due to: More ranks.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_and_end_of_mpi_is_no_work),
        cmocka_unit_test(a_process_that_was_killed_stands_out),
        cmocka_unit_test(the_start_and_end_of_mpi_is_shown_without_findings),
        cmocka_unit_test(no_more_is_explained_than_was_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
