/* From runs to nests, and from numbers of ranks to expressions: `fathom generate --from`. */
#include "gen/infer/nests.h"
#include "gen/infer/rank_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct fth_gen_nesting joins = {true, 1}, calls = {false, 1};

/* Rows of 16 bytes in a plane of 4 x 64, of which there are 3, 1024 behind one another, out of
 * order. */
static void test_nests(void **unused)
{
    (void)unused;
    struct fth_gen_run runs[12];
    size_t count;
    const char *why = NULL;
    for (size_t i = 0; i < 12; i++) {
        size_t at = i * 5 % 12;
        runs[i] = (struct fth_gen_run){0, NULL, 32 + at / 4 * 1024 + at % 4 * 64, 16};
    }
    struct fth_gen_nest *nests = fth_gen_nests_find(runs, 12, joins, &count, &why);
    assert_non_null(nests);
    assert_int_equal(count, 1);
    assert_int_equal(nests->at, 32);
    assert_int_equal(nests->length, 16);
    assert_int_equal(nests->levels, 2);
    assert_int_equal(nests->level[0].stride, 64);
    assert_int_equal(nests->level[0].count, 4);
    assert_int_equal(nests->level[1].stride, 1024);
    assert_int_equal(nests->level[1].count, 3);
    assert_int_equal(fth_gen_nest_end(nests), 32 + 2 * 1024 + 3 * 64 + 16);
    free(nests);
}

/* A header and a part behind it are one run, or two, as they were written by two calls. */
static void test_header(void **unused)
{
    (void)unused;
    const struct fth_gen_run runs[] = {{0, NULL, 0, 100}, {0, NULL, 100, 40}};
    size_t count;
    const char *why = NULL;
    struct fth_gen_nest *nests = fth_gen_nests_find(runs, 2, joins, &count, &why);
    assert_int_equal(count, 1);
    assert_int_equal(nests->length, 140);
    free(nests);
    nests = fth_gen_nests_find(runs, 2, calls, &count, &why);
    assert_int_equal(count, 2);
    free(nests);
}

static void test_no_nests(void **unused)
{
    (void)unused;
    const struct fth_gen_run twice[] = {{0, NULL, 0, 10}, {0, NULL, 5, 10}};
    static struct fth_gen_run many[500];
    size_t count;
    const char *why = NULL;
    assert_null(fth_gen_nests_find(twice, 2, joins, &count, &why));
    assert_non_null(why);
    for (size_t i = 0; i < 500; i++)
        many[i] = (struct fth_gen_run){0, NULL, i * i * 7, 1 + i % 3};
    why = NULL;
    assert_null(fth_gen_nests_find(many, 500, joins, &count, &why));
    assert_non_null(why);
}

static void term_is(const int64_t *values, int64_t ranks, const char *text)
{
    struct fth_gen_rank_term term;
    assert_int_equal(fth_gen_rank_term(values, ranks, false, &term), text != NULL);
    if (text)
        assert_string_equal(term.text, text);
}

static void test_terms(void **unused)
{
    (void)unused;
    term_is((const int64_t[]){7, 7, 7, 7}, 4, "7");
    term_is((const int64_t[]){0, 1, 2, 3}, 4, "rank");
    term_is((const int64_t[]){5, 15, 25, 35}, 4, "rank * 10 + 5");
    term_is((const int64_t[]){0, 0, 16, 16, 0, 0, 16, 16}, 8, "rank / 2 % 2 * 16");
    term_is((const int64_t[]){0, 0, 0, 9, 9, 9}, 6, "rank / 3 * 9");
    term_is((const int64_t[]){0, 8, 0, 8}, 4, "rank % 2 * 8");
    term_is((const int64_t[]){0, 3, 5, 9}, 4, NULL);
    term_is((const int64_t[]){9, 6, 3, 0}, 4, NULL);
    term_is((const int64_t[]){0, 8, 0, 9}, 4, NULL);
}

static void test_shares(void **unused)
{
    (void)unused;
    struct fth_gen_rank_term start, count;
    const int64_t starts[] = {0, 2, 5, 8}, counts[] = {2, 3, 3, 3}, others[] = {3, 3, 3, 2};
    assert_true(fth_gen_rank_shares(starts, counts, 4, 11, false, &start, &count));
    assert_string_equal(start.text, "11 * rank / 4");
    assert_string_equal(count.text, "11 * (rank + 1) / 4 - 11 * rank / 4");
    assert_false(fth_gen_rank_shares(starts, others, 4, 11, false, &start, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nests), cmocka_unit_test(test_header),
                                       cmocka_unit_test(test_no_nests),
                                       cmocka_unit_test(test_terms), cmocka_unit_test(test_shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
