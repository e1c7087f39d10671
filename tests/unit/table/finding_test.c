/* Findings: order, folding, lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "table/finding.h"

#include <stdio.h>
#include <string.h>

static struct fth_finding *add(struct fth_findings *findings, const char *kind, int64_t severity,
                               const char *file)
{
    struct fth_finding *finding = fth_finding_add(findings, kind, kind);
    finding->severity = severity;
    fth_finding_say(finding, "%s on %s", kind, file);
    fth_finding_list_add(&finding->files, file);
    return finding;
}

static void what_is_wrong_comes_first_what_works_last(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "slow", 5, "/a");
    add(&findings, "good", 100, "/a")->effective = true;
    add(&findings, "slower", 9, "/a");
    add(&findings, "lost", 0, "/a")->wrong = true;
    fth_findings_sort(&findings, 1);
    static const char *const order[] = {"lost", "slower", "slow", "good"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(findings.list[i].kind, order[i]);
    fth_findings_free(&findings);
}

static void what_shortens_the_run_comes_before_what_takes_more_time(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "much time, little gain", 1000, "/a")->gain = 3;
    add(&findings, "nobody knows the gain", 40, "/a"); /* 10 for each of 4 */
    add(&findings, "little time, all of it gain", 20, "/a")->gain = 20;
    add(&findings, "not worth it", 2000, "/a")->minor = true;
    add(&findings, "shown by another", 3000, "/a")->part_of = "much time, little gain";
    fth_findings_sort(&findings, 4);
    static const char *const order[] = {"little time, all of it gain", "nobody knows the gain",
                                        "much time, little gain", "not worth it",
                                        "shown by another"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(findings.list[i].kind, order[i]);
    assert_ptr_equal(fth_finding_of(&findings, "not worth it"), &findings.list[3]);
    assert_null(fth_finding_of(&findings, "no such kind"));
    fth_findings_free(&findings);
}

static void findings_of_a_kind_become_one(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "slow", 5, "/a");
    add(&findings, "small", 6, "/b");
    add(&findings, "slow", 7, "/c");
    add(&findings, "slow", 1, "/a");
    fth_findings_fold(&findings);
    fth_findings_share(&findings, 26);
    assert_int_equal(findings.count, 2);
    const struct fth_finding *slow = &findings.list[0];
    assert_string_equal(slow->kind, "slow");
    assert_string_equal(slow->text, "slow on /c"); /* the worst of them */
    assert_int_equal(slow->severity, 13);
    assert_int_equal(slow->times, 3);
    assert_true(slow->share > 49.9 && slow->share < 50.1);
    assert_int_equal(slow->files.total, 2);
    assert_string_equal(slow->files.items[0], "/c");
    assert_string_equal(slow->files.items[1], "/a");
    assert_int_equal(findings.list[1].times, 1);
    fth_findings_free(&findings);
}

static void lists_are_cut_and_counted(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    struct fth_finding *finding = fth_finding_add(&findings, "slow", "Slow");
    for (uint64_t i = 0; i < FTH_FINDING_KEPT + 24; i++)
        fth_finding_call(finding, 3, 1, i);
    fth_finding_call(finding, 3, 1, 0); /* is there already */
    assert_int_equal(finding->evidence.count, FTH_FINDING_KEPT);
    assert_int_equal(finding->evidence.total, FTH_FINDING_KEPT + 24);
    assert_string_equal(finding->evidence.items[2], "3.1.2");
    assert_true(finding->gain < 0);
    fth_finding_drop(&findings);
    assert_int_equal(findings.count, 0);
    fth_findings_free(&findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_comes_first_what_works_last),
        cmocka_unit_test(what_shortens_the_run_comes_before_what_takes_more_time),
        cmocka_unit_test(findings_of_a_kind_become_one),
        cmocka_unit_test(lists_are_cut_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
