/* The text of queries, and the length of sets of intervals. */
#include "analysis/query/query.h"
#include "analysis/select/spans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fth_query parse(const char *text)
{
    struct fth_query query = {0};
    struct fth_error *error = NULL;
    if (fth_query_parse(text, &query, &error))
        fail_msg("%s: %s", text, fth_error_text(error));
    return query;
}

static void all_forms_are_understood(void **state)
{
    (void)state;
    for (size_t i = 0; fth_query_form(i); i++)
        assert_int_equal(parse(fth_query_form(i)->example).kind, i);
    assert_int_equal(parse("Thru. [1]").kind, FTH_QUERY_THROUGHPUT);
    assert_int_equal(parse("  LATENCY  Operation\tAverage").kind, FTH_QUERY_AVERAGE);
    assert_int_equal(parse("call[1][2]").kind, FTH_QUERY_CALLS);
}

static void parameters_are_in_order(void **state)
{
    (void)state;
    struct fth_query query = parse("energy [11.5] [ 7 ] [0-4] [3] [-] [1-2, 5,8-9]");
    assert_true(query.active == 11.5 && query.inactive == 7);
    assert_int_equal(query.processes.count, 1);
    assert_int_equal(query.processes.list[0].first, 0);
    assert_int_equal(query.processes.list[0].last, 4);
    assert_int_equal(query.calls.list[0].first, 3);
    assert_int_equal(query.calls.list[0].last, 3);
    assert_int_equal(query.subcalls.count, 0);
    assert_int_equal(query.servers.count, 3);
    assert_int_equal(query.servers.list[2].last, 9);
    query = parse("latency segment [src/a b.c:10-80] [2]");
    assert_string_equal(query.segment, "src/a b.c");
    assert_int_equal(query.first, 10);
    assert_int_equal(query.last, 80);
    assert_int_equal(query.processes.list[0].first, 2);
    query = parse("latency segment [io::Grid::write]");
    assert_string_equal(query.segment, "io::Grid::write");
    assert_int_equal(query.last, 0);
}

static void errors_tell_the_place(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "at the end of the query: there is no such query; there are "
             "'latency breakdown"},
        {"calling", "there is no such query"},
        {"latency operation", "there is no such query"},
        {"Latency breakdown [1]",
         "there are 'latency breakdown inclusive', 'latency breakdown exclusive'"},
        {"call [1", "at the end of the query: ']' is expected"},
        {"call [5-3]", "at column 8 of the query, '-3]': the range ends before it begins"},
        {"call [1] x", "at column 10 of the query, 'x': a parameter in brackets"},
        {"call [99999999999999999999]", "a number, a range"},
        {"call [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]", "too many ranges"},
        {"energy [-1] [2]", "a power in watts"},
        {"energy [nan] [2]", "a power in watts"},
        {"latency segment", "lacks parameters: latency segment [file:first-last]"},
        {"latency segment []", "lines (io.c:10-80) or the name of a region"},
        {"latency segment [a.c:-]", NULL},
        {"servers [1]", "too many parameters"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_query query = {0};
        struct fth_error *error = NULL;
        int result = fth_query_parse(cases[i].text, &query, &error);
        if (cases[i].says && (!result || !strstr(fth_error_text(error), cases[i].says)))
            fail_msg("%s: %s", cases[i].text, result ? fth_error_text(error) : "no error");
        assert_int_equal(result == 0, error == NULL);
        fth_error_free(error);
    }
}

static void intervals_count_once(void **state)
{
    (void)state;
    struct fth_spans *spans = calloc(1, sizeof *spans);
    assert_int_equal(fth_spans_length(spans), 0);
    for (int64_t i = 999; i >= 0; i--) {
        fth_spans_add(spans, 10 * i, 10 * i + 4);
        fth_spans_add(spans, 10 * i + 2, 10 * i + 6); /* overlaps */
        fth_spans_add(spans, 10 * i + 3, 10 * i + 3); /* is empty */
    }
    assert_int_equal(fth_spans_length(spans), 6000);
    for (int64_t i = 0; i < 100000; i++)
        fth_spans_add(spans, 0, 20000);
    assert_int_equal(fth_spans_length(spans), 20000);
    assert_true(spans->limit < 10000); /* what overlaps takes no memory */
    fth_spans_free(spans, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_are_understood),
        cmocka_unit_test(parameters_are_in_order),
        cmocka_unit_test(errors_tell_the_place),
        cmocka_unit_test(intervals_count_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
