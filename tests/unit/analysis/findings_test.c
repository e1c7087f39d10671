/* Findings that tell of the same seconds: who explains whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/survey/findings.h"

#include <stdio.h>

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
    add(&findings, "wait_for_epoch", 40, "", "3");
    add(&findings, "straggler", 50, "", "3");
    fth_finding_call(fth_finding_of(&findings, "wait_at_nxn"), 1, 0, 7);
    fth_findings_relate(&findings);
    assert_string_equal(cause_of(&findings, "wait_at_nxn"), "straggler");
    assert_string_equal(cause_of(&findings, "wait_for_epoch"), "straggler");
    assert_null(cause_of(&findings, "wait_at_barrier"));
    assert_null(cause_of(&findings, "straggler"));
    assert_int_equal(fth_finding_of(&findings, "straggler")->evidence.count, 0); /* of its own */
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

/* What is summed over files knows them, as long as all are listed. */
static void what_is_of_all_files_explains_only_what_is_of_its_files(void **state)
{
    (void)state;
    for (int files = 1; files <= FTH_FINDING_KEPT + 1; files += FTH_FINDING_KEPT) {
        struct fth_findings findings = {0};
        struct fth_finding *syncs = add(&findings, "frequent_sync", 400, "/log", "0");
        syncs->any_file = true;
        for (int i = 1; i < files; i++) {
            char name[16];
            snprintf(name, sizeof name, "/log.%d", i);
            fth_finding_list_add(&syncs->files, name);
        }
        add(&findings, "opened_again", 100, "/settings", "0");
        fth_findings_relate(&findings);
        if (files == 1)
            assert_null(cause_of(&findings, "opened_again"));
        else
            assert_string_equal(cause_of(&findings, "opened_again"), "frequent_sync");
        fth_findings_free(&findings);
    }
}

/* Gains decide where they are known: seconds of calls of all ranks say little about the run. */
static void a_small_gain_hides_no_large_one(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "straggler", 500, "", "0")->gain = 13;
    add(&findings, "wait_at_nxn", 400, "", "0")->gain = 80;
    add(&findings, "wait_at_barrier", 900, "", "0")->gain = 26;
    fth_findings_relate(&findings);
    assert_null(cause_of(&findings, "wait_at_nxn"));
    assert_string_equal(fth_finding_of(&findings, "wait_at_nxn")->partly_due_to, "straggler");
    assert_string_equal(cause_of(&findings, "wait_at_barrier"), "straggler");
    assert_null(fth_finding_of(&findings, "wait_at_barrier")->partly_due_to);
    fth_findings_free(&findings);
}

/* Requests for locks, and waits for them, are the same seconds, whichever gains more. */
static void waits_for_locks_are_reported_once(void **state)
{
    (void)state;
    for (int gain = 1; gain <= 100; gain += 99) {
        struct fth_findings findings = {0};
        add(&findings, "wait_for_lock", 54, "", "1")->gain = 28;
        add(&findings, "lock_contention", 55, "/a", "1")->gain = gain;
        fth_findings_relate(&findings);
        const char *of_waits = cause_of(&findings, "wait_for_lock"),
                   *of_requests = cause_of(&findings, "lock_contention");
        assert_string_equal(gain < 28 ? of_requests : of_waits,
                            gain < 28 ? "wait_for_lock" : "lock_contention");
        assert_null(gain < 28 ? of_waits : of_requests);
        assert_null(fth_finding_of(&findings, "wait_for_lock")->partly_due_to);
        fth_findings_free(&findings);
    }
}

static void too_many_ranks_explain_only_waits(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "more_ranks_than_processors", 13, "", "0");
    add(&findings, "wait_at_barrier", 13, "", "0")->gain = 1;
    add(&findings, "much_in_messages", 80, "", "0")->gain = 60;
    add(&findings, "long_opening", 80, "/a", "0")->gain = 70;
    fth_findings_relate(&findings);
    assert_string_equal(cause_of(&findings, "wait_at_barrier"), "more_ranks_than_processors");
    assert_null(cause_of(&findings, "much_in_messages"));
    assert_string_equal(fth_finding_of(&findings, "much_in_messages")->partly_due_to,
                        "more_ranks_than_processors");
    assert_null(cause_of(&findings, "long_opening"));
    assert_null(fth_finding_of(&findings, "long_opening")->partly_due_to);
    fth_findings_free(&findings);
}

/* A covers half of B, and B half of C: what is left of C is not in sight unless it is shown. */
static void a_cause_of_a_cause_has_to_cover_the_effect_itself(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "frequent_sync", 50, "/a", "0");
    add(&findings, "opened_again", 100, "/a", "0");
    add(&findings, "metadata_heavy", 200, "/a", "0");
    fth_findings_relate(&findings);
    assert_string_equal(cause_of(&findings, "opened_again"), "frequent_sync");
    assert_null(cause_of(&findings, "metadata_heavy"));
    assert_string_equal(fth_finding_of(&findings, "metadata_heavy")->partly_due_to,
                        "frequent_sync");
    fth_findings_free(&findings);
}

/* The rows about openings come before that about locks. */
static void what_explains_others_may_be_explained_later(void **state)
{
    (void)state;
    struct fth_findings findings = {0};
    add(&findings, "long_opening", 10, "/a", "0");
    add(&findings, "metadata_heavy", 20, "/a", "0");
    add(&findings, "lock_contention", 50, "/a", "0");
    fth_findings_relate(&findings);
    assert_string_equal(cause_of(&findings, "metadata_heavy"), "lock_contention");
    assert_string_equal(cause_of(&findings, "long_opening"), "lock_contention");
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
    assert_null(cause_of(&findings, "read_before_write")); /* lost data is a finding of its own */
    fth_findings_free(&findings);
}

static void what_is_read_before_it_is_written_is_not_reported_twice(void **state)
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
        cmocka_unit_test(what_is_of_all_files_explains_only_what_is_of_its_files),
        cmocka_unit_test(a_small_gain_hides_no_large_one),
        cmocka_unit_test(waits_for_locks_are_reported_once),
        cmocka_unit_test(too_many_ranks_explain_only_waits),
        cmocka_unit_test(a_cause_of_a_cause_has_to_cover_the_effect_itself),
        cmocka_unit_test(what_explains_others_may_be_explained_later),
        cmocka_unit_test(other_files_are_another_matter),
        cmocka_unit_test(what_is_read_before_it_is_written_is_not_reported_twice),
        cmocka_unit_test(causes_of_causes_come_first),
        cmocka_unit_test(what_is_minor_explains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
