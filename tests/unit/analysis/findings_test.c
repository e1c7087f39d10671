/* Findings that tell of the same seconds: who explains whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/survey/findings.h"

static struct fth_finding *add(struct fth_findings *findings, const char *kind, int64_t severity,
                               const char *file, const char *rank)
{
    struct fth_finding *finding = fth_finding_add(findings, kind, kind);
    finding->severity = severity;
    fth_finding_list_add(&finding->files, file);
    fth_finding_list_add(&finding->ranks, rank);
    return finding;
}

static const char *cause_of(const struct fth_findings *findings, const char *kind)
{
    return fth_finding_of(findings, kind)->part_of;
}

static void a_straggler_explains_the_waits_for_it(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "wait_at_nxn", 60, "", "3");
    add(&findings, "wait_at_barrier", 10, "", "1"); /* for another one */
    add(&findings, "straggler", 50, "", "3");
    fth_finding_call(fth_finding_of(&findings, "wait_at_nxn"), 1, 0, 7);
    fth_findings_relate(&findings);
    assert_string_equal(cause_of(&findings, "wait_at_nxn"), "straggler");
    assert_null(cause_of(&findings, "wait_at_barrier"));
    assert_null(cause_of(&findings, "straggler"));
    assert_string_equal(fth_finding_of(&findings, "straggler")->evidence.items[0], "1.0.7");
    fth_findings_free(&findings);
}

static void what_has_more_seconds_is_not_explained(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "frequent_sync", 40, "/a", "0");
    add(&findings, "opened_again", 100, "/a", "0");
    fth_findings_relate(&findings);
    assert_null(cause_of(&findings, "opened_again"));
    fth_findings_free(&findings);
}

static void other_files_are_another_matter(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "fan_out", 100, "/a", "0");
    add(&findings, "small_accesses", 50, "/b", "0");
    add(&findings, "independent_instead_of_collective", 100, "/a", "0");
    add(&findings, "read_before_write", 1, "/a", "0")->wrong = true;
    fth_findings_relate(&findings);
    assert_string_equal(cause_of(&findings, "fan_out"), "independent_instead_of_collective");
    assert_null(cause_of(&findings, "small_accesses"));
    assert_null(cause_of(&findings, "read_before_write")); /* lost data is told as itself */
    fth_findings_free(&findings);
}

static void what_is_read_before_it_is_written_is_not_told_twice(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "read_back", 100, "/a", "0");
    add(&findings, "read_before_write", 100, "/a", "0");
    fth_findings_relate(&findings);
    assert_string_equal(cause_of(&findings, "read_back"), "read_before_write");
    fth_findings_free(&findings);
}

static void causes_of_causes_come_first(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "wait_at_nxn", 50, "", "0");
    add(&findings, "straggler", 60, "", "0");
    add(&findings, "serial_io", 100, "/a", "0");
    fth_findings_relate(&findings);
    assert_string_equal(cause_of(&findings, "straggler"), "serial_io");
    assert_string_equal(cause_of(&findings, "wait_at_nxn"), "serial_io");
    fth_findings_free(&findings);
}

static void what_is_minor_explains_nothing(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "opened_again", 60, "/a", "0")->minor = true;
    add(&findings, "metadata_heavy", 50, "/a", "0");
    fth_findings_relate(&findings);
    assert_null(cause_of(&findings, "metadata_heavy"));
    fth_findings_free(&findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straggler_explains_the_waits_for_it),
        cmocka_unit_test(what_has_more_seconds_is_not_explained),
        cmocka_unit_test(other_files_are_another_matter),
        cmocka_unit_test(what_is_read_before_it_is_written_is_not_told_twice),
        cmocka_unit_test(causes_of_causes_come_first),
        cmocka_unit_test(what_is_minor_explains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
