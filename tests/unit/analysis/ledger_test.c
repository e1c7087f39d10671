/* What findings claim is held against the calls that they are about: a pass that claims more than
 * these took, or that does not say what it is about, does not get through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/survey/ledger.h"
#include "analysis/calls/call_classes.h"

#include <string.h>

enum { LIFETIMES = 1000 };

/* 30 ns of open and 900 ns of stat on /a; a write of HDF5 to /b of 10 ns, with 40 ns of pwrite
 * inside, of which 25 ns are on /b.1. */
static struct fth_ledger *a_run(void)
{
    struct fth_ledger *ledger = fth_ledger_new();
    const struct fth_ledger_step opening[] = {{"open", FTH_CALLS_BIT(FTH_CALLS_OPEN)}},
                                 asking[] = {{"stat", FTH_CALLS_BIT(FTH_CALLS_STAT)}},
                                 writing[] = {{"pwrite", FTH_CALLS_BIT(FTH_CALLS_WRITE)},
                                              {"H5Dwrite", FTH_CALLS_BIT(FTH_CALLS_WRITE)}};
    const uint32_t a = fth_ledger_file(ledger, "/a"), b = fth_ledger_file(ledger, "/b"),
                   piece = fth_ledger_file(ledger, "/b.1");
    fth_ledger_enter(ledger, fth_ledger_chain(ledger, opening, 1), a, a, 30);
    uint32_t stat = fth_ledger_chain(ledger, asking, 1);
    fth_ledger_enter(ledger, stat, a, a, 400);
    fth_ledger_enter(ledger, stat, a, a, 500);
    fth_ledger_enter(ledger, fth_ledger_chain(ledger, writing + 1, 1), b, b, 10);
    uint32_t inside = fth_ledger_chain(ledger, writing, 2);
    fth_ledger_enter(ledger, inside, b, b, 15);
    fth_ledger_enter(ledger, inside, piece, b, 25);
    assert_int_equal(fth_ledger_file(ledger, "/a"), a);
    return ledger;
}

static struct fth_finding *claim(struct fth_findings *findings, const char *kind, int64_t severity)
{
    struct fth_finding *finding = fth_finding_add(findings, kind, kind);
    finding->severity = severity;
    return finding;
}

static void calls_are_found_by_function_kind_and_file(void **state)
{
    (void)state;
    struct fth_ledger *ledger = a_run();
    struct fth_findings findings = {0};
    struct fth_finding *finding = claim(&findings, "x", 1);
    assert_int_equal(fth_ledger_time(ledger, finding), 0); /* it says nothing */
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_OPEN);
    assert_int_equal(fth_ledger_time(ledger, finding), 30);
    finding->classes = FTH_CLASSES_METADATA;
    assert_int_equal(fth_ledger_time(ledger, finding), 930);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_WRITE);
    assert_int_equal(fth_ledger_time(ledger, finding), 50);
    fth_finding_list_add(&finding->files, "/b.1");
    assert_int_equal(fth_ledger_time(ledger, finding), 25);
    fth_finding_list_add(&finding->files, "/b");
    assert_int_equal(fth_ledger_time(ledger, finding), 50);
    finding->classes = 0;
    fth_finding_list_add(&finding->functions, "H5Dwrite"); /* and what is inside of it */
    assert_int_equal(fth_ledger_time(ledger, finding), 50);
    fth_finding_list_add(&finding->functions, "stat"); /* on other files */
    assert_int_equal(fth_ledger_time(ledger, finding), 50);
    finding->any_file = true;
    assert_int_equal(fth_ledger_time(ledger, finding), 950);
    fth_findings_free(&findings);
    fth_ledger_free(ledger);
}

static void nobody_claims_more_than_the_calls_took(void **state)
{
    (void)state;
    struct fth_ledger *ledger = a_run();
    struct fth_findings findings = {0};
    claim(&findings, "opens, with the time of stat", 917)->classes = FTH_CALLS_BIT(FTH_CALLS_OPEN);
    claim(&findings, "stat", 800)->classes = FTH_CALLS_BIT(FTH_CALLS_STAT);
    claim(&findings, "of which calls?", 10);
    claim(&findings, "calls that there are none of", 10)->classes = FTH_CALLS_BIT(FTH_CALLS_SYNC);
    claim(&findings, "processes", 5000)->of_lifetimes = true;
    claim(&findings, "at work", 5000)->effective = true;
    claim(&findings, "data is lost", 0)->wrong = true;
    fth_ledger_settle(ledger, LIFETIMES, 20, &findings);
    assert_int_equal(findings.count, 5);
    assert_int_equal(fth_finding_of(&findings, "opens, with the time of stat")->severity, 30);
    assert_int_equal(fth_finding_of(&findings, "stat")->severity, 800);
    assert_int_equal(fth_finding_of(&findings, "processes")->severity, LIFETIMES);
    assert_int_equal(fth_finding_of(&findings, "at work")->severity, 5000);
    assert_non_null(fth_finding_of(&findings, "data is lost"));
    fth_ledger_settle(ledger, LIFETIMES, 31, &findings);
    assert_null(fth_finding_of(&findings, "opens, with the time of stat"));
    assert_int_equal(findings.count, 4);
    fth_findings_free(&findings);
    fth_ledger_free(ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_found_by_function_kind_and_file),
        cmocka_unit_test(nobody_claims_more_than_the_calls_took),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
