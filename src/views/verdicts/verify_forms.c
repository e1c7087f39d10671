/* Verdicts for people: what is safe, what is not, and for each group of violations an example
 * with both chains of calls, the reason, and the repair. */
#include "views/verdicts/verify_forms.h"

#include "views/sentences/verify_words.h"
#include "views/output/display_text.h"

#include <inttypes.h>
#include <string.h>

/* Names and paths are anything that a program could make up. */
static void put_text(struct fth_output *output, const char *text)
{
    fth_views_put_text(&output->sink, text, 0, FTH_CUT_END, output->style.unicode);
}

/* ---- one line per model ---- */

/* Those that keep the model and are so. */
static size_t put_systems(struct fth_output *output, const struct fth_verdict_model *verdict,
                          enum fth_safety safety, const char *before)
{
    const struct fth_consistency *model = verdict->model;
    size_t shown = 0;
    for (size_t i = 0; i < model->system_count; i++)
        if (fth_verdict_of_system(verdict, model->systems[i]) == safety)
            fth_views_print(output, "%s%s", shown++ ? ", " : before, model->systems[i]);
    return shown;
}

/* Of the column of verdicts. */
static int widest_word(const struct fth_verdict *verdict)
{
    size_t widest = 7;
    for (size_t i = 0; i < verdict->model_count; i++) {
        size_t width = strlen(fth_views_model_word(&verdict->models[i]));
        widest = width > widest ? width : widest;
    }
    return (int)widest;
}

static void put_model(struct fth_output *output, const struct fth_verdict_model *model, int width)
{
    enum fth_safety safety = fth_verdict_safety(model);
    fth_views_print(output, "  %-10s ", model->model->name);
    fth_views_paint(output, safety <= FTH_SAFE_AS_SEEN ? FTH_PAINT_GOOD : FTH_PAINT_BAD);
    fth_views_print(output, "%-*s", width, fth_views_model_word(model));
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_views_print(output, "  ");
    fth_views_verdict_pairs(&output->sink, model);
    fth_views_print(output, "\n");
}

static void put_safety(struct fth_output *output, const struct fth_verdict *verdict)
{
    static const char *const words[] = {[FTH_SAFE] = "Safe on: ",
                                        [FTH_SAFE_AS_SEEN] = "Safe as far as was seen on: ",
                                        [FTH_SAFETY_UNKNOWN] = "Not known to be safe on: ",
                                        [FTH_RACY] = "Not safe on: "};
    for (enum fth_safety safety = FTH_SAFE; safety <= FTH_RACY; safety++) {
        bool any = false;
        for (size_t i = 0; i < verdict->model_count; i++) {
            const struct fth_verdict_model *model = &verdict->models[i];
            any |= put_systems(output, model, safety, any ? "; " : words[safety]) > 0;
        }
        fth_views_print(output, any ? "\n" : "");
    }
}

/* ---- accesses of one process ---- */

static void put_alone(struct fth_output *output, const struct fth_verdict_model *model, size_t at)
{
    const struct fth_verdict_alone *alone = &model->alone[at];
    const struct fth_alone *rule = &model->model->alone[at];
    if (!alone->violations && !alone->unsure)
        return;
    fth_views_print(output, "Accesses of one process, on ");
    for (size_t i = 0; i < rule->system_count; i++)
        fth_views_print(output, "%s%s", i ? ", " : "", rule->systems[i]);
    uint64_t pairs = alone->violations ? alone->violations : alone->unsure;
    fth_views_print(output, ": %s%s %s, such as ",
                    alone->violations && alone->unsure ? "at least " : "",
                    fth_phrase_several(pairs, "pair", "pairs").text,
                    alone->violations ? "to the same bytes whose order it does not preserve"
                                      : "whose order or bytes are not known");
    if (alone->range_end < FTH_ENDLESS) {
        fth_views_verdict_range(&output->sink, alone->range_start, alone->range_end,
                                alone->finds_end);
        fth_views_print(output, " of ");
    }
    put_text(output, alone->file);
    fth_views_verdict_renamed(&output->sink, alone->renamed);
    fth_views_verdict_wanted(&output->sink, model->model, rule);
    if (alone->violations && alone->unsure)
        fth_views_print(
            output,
            ". Up to %s may be such, too: what is their order, or their bytes, is not known",
            fth_phrase_several(alone->unsure, "more pair", "more pairs").text);
    fth_views_print(output, alone->of_library ? ". The MPI library or the launcher keeps this file "
                                                "for itself\n"
                                              : "\n");
}

/* ---- violations ---- */

static void put_access(struct fth_output *output, const struct fth_verdict *verdict,
                       const struct fth_verdict_access *access, const char *label)
{
    struct fth_verdict_link links[FTH_MOST_LINKS];
    size_t count = fth_verdict_chain(verdict, access->chain, links, FTH_MOST_LINKS);
    fth_views_print(output, "     %-7s ", label);
    fth_views_verdict_who(&output->sink, verdict, access);
    fth_views_print(output, " at %.6f s: ", (double)access->start / 1e9);
    for (size_t i = 0; i < count && i < FTH_MOST_LINKS; i++) {
        fth_views_print(output, "%s%s", i ? " > " : "", links[i].function->name);
        if (!links[i].source)
            continue;
        fth_views_print(output, " (");
        put_text(output, links[i].source);
        fth_views_print(output, ")");
    }
    const char *removal = fth_views_verdict_removal(verdict, access);
    if (removal)
        fth_views_print(output, ", which %s", removal);
    fth_views_print(output, "\n");
}

/* "  1. /data/file: " */
static void put_heading(struct fth_output *output, size_t number, const char *name,
                        const char *renamed)
{
    fth_views_print(output, "%3zu. ", number);
    fth_views_paint(output, FTH_PAINT_NAME);
    put_text(output, name);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_views_verdict_renamed(&output->sink, renamed);
    fth_views_print(output, ": ");
}

static void put_below(struct fth_output *output, const struct fth_verdict *verdict,
                      const struct fth_verdict_model *model, const struct fth_verdict_group *group)
{
    const struct fth_verdict_by_file *below = fth_views_verdict_below(verdict, model, group);
    if (!below)
        return;
    fth_views_print(output, "     below   ");
    fth_views_verdict_put_below(&output->sink, verdict, below, group);
    fth_views_print(output, "\n");
}

static void put_group(struct fth_output *output, const struct fth_verdict *verdict,
                      const struct fth_verdict_model *model, const struct fth_verdict_group *group,
                      size_t number)
{
    put_heading(output, number, group->file, group->renamed);
    fth_views_verdict_hazard(&output->sink, group);
    fth_views_print(output, ", %s", fth_phrase_several(group->pairs, "pair", "pairs").text);
    fth_views_print(output, ", ");
    fth_views_verdict_put_example(&output->sink, group);
    fth_views_print(output, "\n");
    put_access(output, verdict, &group->first, "first");
    put_access(output, verdict, &group->second, "second");
    if (group->unsure && group->why_unsure) {
        fth_views_print(output, "     %-7s ", group->by_means ? "unknown" : "doubt");
        put_text(output, group->why_unsure);
        fth_views_print(output, "\n");
    }
    put_below(output, verdict, model, group);
    fth_views_print(output, "     reason  ");
    put_text(output, group->missing);
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "\n     repair  ");
    put_text(output, group->repair);
    fth_views_print(output, "\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
}

static void put_list(struct fth_output *output, const struct fth_verdict *verdict,
                     const struct fth_verdict_model *model, const struct fth_verdict_group *groups,
                     size_t count, size_t top)
{
    size_t shown = top && top < count ? top : count;
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++)
        put_group(output, verdict, model, &groups[i], i + 1);
    if (shown < count)
        fth_views_print(output, "     and %zu more: --top 0 shows all\n", count - shown);
}

static void put_groups(struct fth_output *output, const struct fth_verdict *verdict,
                       const struct fth_verdict_model *model, size_t top)
{
    if (model->group_count == 0)
        return;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\n%s under %s\n", model->violations ? "Racy" : "Not known to be safe",
                    model->model->name);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    put_list(output, verdict, model, model->groups, model->group_count, top);
}

static void put_threads(struct fth_output *output, const struct fth_verdict *verdict,
                        const struct fth_verdict_model *model, size_t top)
{
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\n%s\n", fth_views_verdict_thread_heading(model));
    fth_views_paint(output, FTH_PAINT_PLAIN);
    put_list(output, verdict, model, model->thread_groups, model->thread_group_count, top);
}

/* ---- what else there is to say ---- */

static void put_race(struct fth_output *output, const struct fth_verdict *verdict,
                     const struct fth_verdict_race *race, size_t number)
{
    put_heading(output, number, race->pattern, NULL);
    fth_views_verdict_race(&output->sink, race);
    fth_views_print(output, "\n");
    put_access(output, verdict, &race->first, "first");
    put_access(output, verdict, &race->second, "second");
}

/* The groups from `from` on that are listings, or are none. Returns where they end. */
static size_t put_races(struct fth_output *output, const struct fth_verdict *verdict, size_t from,
                        bool listings, size_t top)
{
    const struct fth_verdict_race *races = verdict->race_groups;
    size_t end = from;
    while (end < verdict->race_group_count && races[end].listing == listings)
        end++;
    size_t count = end - from, shown = top && top < count ? top : count;
    if (count == 0)
        return end;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\n%s\n", fth_views_verdict_race_heading(verdict, listings));
    fth_views_paint(output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++)
        put_race(output, verdict, &races[from + i], i + 1);
    if (shown < count)
        fth_views_print(output, "     and %zu more: --top 0 shows all\n", count - shown);
    return end;
}

static void put_position_races(struct fth_output *output, const struct fth_verdict *verdict,
                               size_t top)
{
    size_t count = verdict->position_race_count, shown = top && top < count ? top : count;
    if (count == 0)
        return;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\n" FTH_VIEWS_POSITION_HEADING "\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++) {
        const struct fth_verdict_position_race *race = &verdict->position_races[i];
        put_heading(output, i + 1, race->file, NULL);
        fth_views_verdict_position_race(&output->sink, race);
        fth_views_print(output, "\n");
        put_access(output, verdict, &race->first, "first");
        put_access(output, verdict, &race->second, "second");
        fth_views_print(output, "     reason  ");
        fth_views_verdict_position_missing(&output->sink, race);
        fth_views_print(output, "\n     repair  %s\n", fth_views_verdict_position_repair(race));
    }
    if (shown < count)
        fth_views_print(output, "     and %zu more: --top 0 shows all\n", count - shown);
}

static void put_findings_of(struct fth_output *output, const struct fth_verdict *verdict,
                            size_t number)
{
    enum { MOST = 5 };
    const struct fth_run *run = &verdict->runs->runs[number];
    size_t count, shown[FTH_ORDER_FINDING_KINDS] = {0};
    const struct fth_order_finding *findings = fth_order_findings(run->order, &count);
    if (count == 0)
        return;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\nMismatched calls");
    if (verdict->runs->count > 1) {
        fth_views_print(output, " in ");
        put_text(output, run->path);
    }
    fth_views_print(output, "\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < count; i++)
        if (shown[findings[i].kind]++ < MOST) {
            fth_views_print(output, "  ");
            fth_views_verdict_finding(&output->sink, verdict, number, i);
            fth_views_print(output, " (call %zu.%" PRIu32 ".%" PRIu64 ")\n", findings[i].proc,
                            findings[i].thread, findings[i].call);
        }
    for (int kind = 0; kind < FTH_ORDER_FINDING_KINDS; kind++) {
        uint64_t all = fth_order_finding_count(run->order, kind);
        if (all > shown[kind] || shown[kind] > MOST)
            fth_views_print(output, "  %s: %" PRIu64 " in all\n", fth_order_finding_word(kind),
                            all);
    }
}

void fth_views_verify_remarks(struct fth_output *output, const struct fth_verdict *verdict)
{
    if (!verdict->libraries_only && !verdict->no_calls)
        put_safety(output, verdict);
    for (size_t i = 0; i < verdict->model_count && !verdict->no_calls; i++)
        for (size_t k = 0; k < verdict->models[i].model->alone_count; k++)
            put_alone(output, &verdict->models[i], k);
    fth_views_verdict_notes(&output->sink, verdict);
}

void fth_views_verify(struct fth_output *output, const struct fth_verdict *verdict,
                      const char *asked, size_t top)
{
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_verdict_sentence(&output->sink, verdict, asked);
    fth_views_print(output, "\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    if (verdict->no_program)
        return;
    for (size_t i = 0; i < verdict->model_count && !verdict->no_calls; i++)
        if (fth_views_verdict_shows(&verdict->models[i], asked))
            put_model(output, &verdict->models[i], widest_word(verdict));
    fth_views_verify_remarks(output, verdict);
    if (verdict->no_calls)
        return;
    for (size_t i = 0; i < verdict->model_count && !fth_views_stopped(output); i++)
        if (fth_views_verdict_shows_violations(verdict, i, asked))
            put_groups(output, verdict, &verdict->models[i], top);
    for (size_t i = 0; i < verdict->model_count && !fth_views_stopped(output); i++)
        if (fth_views_verdict_shows_threads(verdict, i, asked))
            put_threads(output, verdict, &verdict->models[i], top);
    put_position_races(output, verdict, top);
    put_races(output, verdict, put_races(output, verdict, 0, false, top), true, top);
    for (size_t i = 0; i < verdict->runs->count; i++)
        put_findings_of(output, verdict, i);
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "\n%s\n", fth_views_verdict_scope());
    fth_views_paint(output, FTH_PAINT_PLAIN);
}
