/* What differs between runs. First what makes a comparison doubtful: calls that are missing,
 * programs that are not the same. Then the runs, what was set differently, findings, and the tables
 * with what differs by more than noise. */
#include "views/pages/diff_page.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "diff/diff_tables.h"
#include "views/sentences/incomplete.h"
#include "views/sentences/meta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct fth_diff_run *first_of(const struct fth_diff *diff, int side)
{
    return &diff->runs[side ? diff->counts[0] : 0];
}

/* ---- for people ---- */

static void put_missing(struct fth_writer *writer, const struct fth_diff *diff)
{
    bool any = false;
    for (size_t run = 0; run < fth_diff_run_count(diff); run++) {
        if (!fth_analysis_is_stopped(&diff->runs[run].incomplete))
            continue;
        any = true;
        fth_views_write_remark(writer, FTH_PAINT_WARNING, "%s is incomplete: %s",
                               diff->runs[run].path,
                               fth_views_missing(&diff->runs[run].incomplete).text);
    }
    if (any)
        fth_views_write_remark(writer, FTH_PAINT_WARNING,
                               "Differences may come from the calls that are missing.");
}

/* "22.7 ms in A", "442 ms in B (38.0 ms to 626 ms)" */
static void put_elapsed_of(struct fth_output *output, const struct fth_diff *diff, int side)
{
    const struct fth_diff_run *run = first_of(diff, side);
    int64_t least = run->elapsed, most = run->elapsed;
    for (size_t i = 1; i < diff->counts[side]; i++) {
        least = run[i].elapsed < least ? run[i].elapsed : least;
        most = run[i].elapsed > most ? run[i].elapsed : most;
    }
    fth_views_print(output, "%s in %c",
                    fth_phrase_duration(side ? diff->elapsed.b : diff->elapsed.a).text,
                    side ? 'B' : 'A');
    if (diff->counts[side] > 1)
        fth_views_print(output, " (%s to %s)", fth_phrase_duration(least).text,
                        fth_phrase_duration(most).text);
}

/* "A  before.fathom: ./app 4" */
static void put_runs(struct fth_output *output, const void *context)
{
    const struct fth_diff *diff = context;
    for (int side = 0; side < 2; side++) {
        const struct fth_diff_run *run = first_of(diff, side);
        fth_views_print(output, "%c  ", side ? 'B' : 'A');
        fth_views_put_text(&output->sink, run->path, 0, FTH_CUT_END, output->style.unicode);
        if (diff->counts[side] > 1)
            fth_views_print(
                output, " and %s",
                fth_phrase_several(diff->counts[side] - 1, "other run", "other runs").text);
        fth_views_put_command(output, fth_trace_info(run->trace), ": ");
        fth_views_print(output, "\n");
    }
    char *change = fth_diff_change(diff->elapsed.a, diff->elapsed.b);
    fth_views_print(output, "The %s took ", fth_diff_run_count(diff) > 2 ? "runs (median)" : "run");
    put_elapsed_of(output, diff, 0);
    fth_views_print(output, ", ");
    put_elapsed_of(output, diff, 1);
    if (diff->elapsed.verdict >= FTH_DIFF_MAYBE)
        fth_views_print(output, ": %s", change);
    if (diff->elapsed.verdict == FTH_DIFF_MAYBE)
        fth_views_print(output, ", which may be noise");
    if (diff->elapsed.verdict == FTH_DIFF_DIFFERS && diff->elapsed.p >= 0)
        fth_views_print(output, ", p = %.2g", diff->elapsed.p);
    fth_views_print(output, "\n");
    free(change);
}

static void put_programs(struct fth_writer *writer, const struct fth_diff *diff)
{
    if (!diff->other_program[0])
        return;
    fth_views_write_remark(
        writer, FTH_PAINT_WARNING,
        "These are different programs: %s in A, %s in B. They are compared all the same.",
        diff->other_program[0], diff->other_program[1]);
}

/* Does the number of calls of a function differ, whoever made them? */
static bool is_other_count(const struct fth_diff *diff)
{
    const struct fth_diff_part *functions = &diff->parts[FTH_DIFF_FUNCTIONS];
    for (size_t row = 0; row < functions->count; row++)
        if (functions->rows[row].values[FTH_DIFF_CALLS].verdict == FTH_DIFF_DIFFERS)
            return true;
    return false;
}

/* "The programs themselves make the same calls: 14 signatures, as often and with the same sizes."
 */
static void put_calls(struct fth_writer *writer, const struct fth_diff *diff)
{
    const struct fth_diff_calls *calls = &diff->calls;
    size_t only = calls->only[0] + calls->only[1];
    if (!calls->both && !only)
        return;
    if (!calls->count) {
        /* of several runs, one of B does the same as one of A: the others may not */
        bool inner = fth_diff_run_count(diff) == 2 && is_other_count(diff);
        fth_views_write_remark(
            writer, FTH_PAINT_PLAIN,
            "The programs themselves make the same calls: %s, as often and with the same sizes.%s",
            fth_phrase_several(calls->both, "signature", "signatures").text,
            inner ? " Numbers of calls that differ are of calls that this leaves out, such as "
                    "those that libraries make inside of others."
                  : "");
        return;
    }
    fth_views_write_remark(
        writer, FTH_PAINT_PLAIN,
        "Signatures of calls: %zu in both, %zu only in A, %zu only in B. %zu of those in both come "
        "as often and with the same sizes.",
        calls->both, calls->only[0], calls->only[1], calls->equal);
}

static void put_table(struct fth_writer *writer, struct fth_table *table, size_t top)
{
    if (fth_table_rows(table)) {
        fth_views_write_gap(writer);
        fth_views_write_table(writer, table,
                              &(struct fth_table_layout){.top = top, .more = "--top 0 shows all"});
    }
    fth_table_free(table);
}

static void put_findings(struct fth_writer *writer, const struct fth_diff *diff, bool came)
{
    const char **items = fth_new(diff->finding_count + 1, sizeof *items);
    size_t count = 0;
    for (size_t i = 0; i < diff->finding_count; i++) {
        const struct fth_finding *finding = diff->findings[i].finding;
        if (diff->findings[i].came == came)
            items[count++] = fth_text_format("%s. %s", finding->title, finding->text);
    }
    if (count) {
        fth_views_write_gap(writer);
        fth_views_write_list(writer,
                             came ? "New findings in B" : "Findings of A that B does not have",
                             items, count);
    }
    while (count)
        free((char *)items[--count]);
    free(items);
}

/* What may be noise with so few runs; and how it was decided what is. */
static void put_maybes(struct fth_writer *writer, const struct fth_diff *diff,
                       const struct fth_diff_view *view)
{
    bool single = fth_diff_run_count(diff) == 2, maybe = diff->elapsed.verdict == FTH_DIFF_MAYBE;
    if (maybe)
        put_table(writer, fth_diff_maybes(diff), view->top);
    else if (diff->differs)
        fth_views_write_gap(writer);
    if (!diff->tests && !view->same_file) {
        char *limit = fth_text_format(" These differ by more than %g %% of the larger (--noise).",
                                      100 * diff->settings->noise);
        fth_views_write_remark(writer, FTH_PAINT_QUIET,
                               "%s whether times differ by more than noise.%s Four runs of each "
                               "make a test possible: fathom diff A... -- B...",
                               single ? "One run of each does not tell" : "So few runs do not tell",
                               maybe ? limit : "");
        free(limit);
    } else if (diff->has_p) {
        fth_views_write_remark(writer, FTH_PAINT_QUIET,
                               "A difference that was tested has a p (Mann-Whitney). At most %g %% "
                               "of those shown are chance.",
                               100 * diff->settings->level);
    }
}

static void put_outcomes(struct fth_writer *writer, const struct fth_diff_view *view)
{
    const char **items = fth_new(view->limit_count + 1, sizeof *items);
    for (size_t i = 0; i < view->limit_count; i++) {
        const struct fth_diff_outcome *outcome = &view->outcomes[i];
        items[i] = fth_text_format("%s: %s", view->limits[i].text,
                                   !outcome->known  ? "neither side has it; it does not hold"
                                   : outcome->holds ? "holds: B fails"
                                   : outcome->noise ? "beyond the limit, but noise"
                                                    : "does not hold");
    }
    if (view->limit_count) {
        fth_views_write_gap(writer);
        fth_views_write_list(writer, "Limits (--fail-on)", items, view->limit_count);
    }
    for (size_t i = 0; i < view->limit_count; i++)
        free((char *)items[i]);
    free(items);
}

static void put_small(struct fth_writer *writer, const struct fth_diff *diff,
                      const struct fth_diff_view *view)
{
    size_t small = 0, quiet = 0;
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++) {
        small += diff->parts[by].small;
        for (size_t row = 0; row < diff->parts[by].count; row++)
            quiet += diff->parts[by].rows[row].quiet && diff->parts[by].rows[row].differs;
    }
    if (small)
        fth_views_write_remark(writer, FTH_PAINT_QUIET,
                               "Without %s of less than %g %% or 64 bytes (--least 0 shows them)",
                               fth_phrase_several(small, "difference", "differences").text,
                               100 * diff->settings->least);
    if (quiet && !view->all)
        fth_views_write_remark(writer, FTH_PAINT_QUIET,
                               "Without %s of system, libraries or launchers (--all shows them)",
                               fth_phrase_several(quiet, "file", "files").text);
}

static void show_people(struct fth_writer *writer, const struct fth_diff *diff,
                        const struct fth_diff_view *view)
{
    put_missing(writer, diff);
    fth_views_write_lines(writer, put_runs, diff);
    if (view->same_file)
        fth_views_write_remark(writer, FTH_PAINT_WARNING, "A and B are the same trace.");
    put_programs(writer, diff);
    put_calls(writer, diff);
    if (!diff->differs) {
        fth_views_write_gap(writer);
        fth_views_write_remark(writer, FTH_PAINT_PLAIN, "No difference beyond noise.");
    }
    put_table(writer, fth_diff_configuration(diff), 0);
    put_findings(writer, diff, true);
    put_findings(writer, diff, false);
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++)
        if (view->shows[by])
            put_table(writer, fth_diff_changes(diff, by, view->all), view->top);
    if (view->shows[FTH_DIFF_FUNCTIONS])
        put_table(writer, fth_diff_call_changes(diff), view->top);
    put_maybes(writer, diff, view);
    put_outcomes(writer, view);
    put_small(writer, diff, view);
}

/* ---- for programs ---- */

static void put_side(struct fth_json *facts, const struct fth_diff *diff, int side)
{
    const struct fth_diff_run *run = first_of(diff, side);
    fth_json_key(facts, side ? "b" : "a");
    fth_json_begin_array(facts);
    for (size_t i = 0; i < diff->counts[side]; i++, run++) {
        fth_json_begin_object(facts);
        fth_json_key_text(facts, "trace", run->path);
        fth_views_missing_json(facts, &run->incomplete);
        fth_json_key_seconds(facts, "elapsed", run->elapsed);
        fth_json_key_unsigned(facts, "processes", run->processes);
        fth_json_key_unsigned(facts, "ranks", run->ranks);
        fth_json_end_object(facts);
    }
    fth_json_end_array(facts);
}

static void put_elapsed(struct fth_json *facts, const struct fth_diff_value *elapsed)
{
    fth_json_key(facts, "elapsed");
    fth_json_begin_object(facts);
    fth_json_key_seconds(facts, "a", elapsed->a);
    fth_json_key_seconds(facts, "b", elapsed->b);
    fth_json_key(facts, "p");
    if (elapsed->p >= 0)
        fth_json_number(facts, elapsed->p);
    else
        fth_json_null(facts);
    fth_json_key_text(facts, "verdict", fth_diff_verdict_word(elapsed->verdict));
    fth_json_end_object(facts);
}

static void put_calls_in_json(struct fth_json *facts, const struct fth_diff_calls *calls)
{
    fth_json_key(facts, "signatures");
    fth_json_begin_object(facts);
    fth_json_key_unsigned(facts, "both", calls->both);
    fth_json_key_unsigned(facts, "equal", calls->equal);
    fth_json_key_unsigned(facts, "only_a", calls->only[0]);
    fth_json_key_unsigned(facts, "only_b", calls->only[1]);
    fth_json_end_object(facts);
}

static void put_limits(struct fth_json *facts, const struct fth_diff_view *view)
{
    fth_json_key(facts, "fail_on");
    fth_json_begin_array(facts);
    for (size_t i = 0; i < view->limit_count; i++) {
        fth_json_begin_object(facts);
        fth_json_key_text(facts, "limit", view->limits[i].text);
        fth_json_key_boolean(facts, "known", view->outcomes[i].known);
        fth_json_key_boolean(facts, "holds", view->outcomes[i].holds);
        fth_json_key_boolean(facts, "noise", view->outcomes[i].noise);
        fth_json_end_object(facts);
    }
    fth_json_end_array(facts);
}

static void put_whole(struct fth_writer *writer, struct fth_table *table, size_t top)
{
    fth_views_write_table(writer, table, &(struct fth_table_layout){.top_of_all = top});
    fth_table_free(table);
}

static void show_programs(struct fth_writer *writer, const struct fth_diff *diff,
                          const struct fth_diff_view *view)
{
    struct fth_json *facts = &writer->facts;
    size_t top = view->top_chosen ? view->top : 0;
    put_side(facts, diff, 0);
    put_side(facts, diff, 1);
    fth_json_key_boolean(facts, "differs", diff->differs);
    fth_json_key_boolean(facts, "same_trace", view->same_file);
    fth_json_key_boolean(facts, "different_programs", diff->other_program[0] != NULL);
    fth_json_key_boolean(facts, "tested", diff->tests);
    put_elapsed(facts, &diff->elapsed);
    put_calls_in_json(facts, &diff->calls);
    put_limits(facts, view);
    put_whole(writer, fth_diff_configuration(diff), 0);
    put_whole(writer, fth_diff_findings(diff), 0);
    for (enum fth_diff_by by = 0; by < FTH_DIFF_PARTS; by++)
        if (view->shows[by])
            put_whole(writer, fth_diff_table(diff, by), top);
    if (view->shows[FTH_DIFF_FUNCTIONS])
        put_whole(writer, fth_diff_call_changes(diff), top);
}

void fth_views_diff(struct fth_writer *writer, const struct fth_diff *diff,
                    const struct fth_diff_view *view)
{
    if (fth_views_for_people(writer))
        show_people(writer, diff, view);
    else
        show_programs(writer, diff, view);
}
