/* Verdicts for people: what is safe, what is not, and for each kind of violation an example with the whole chain of calls, what is missing and what would repair it. */
#include "views/verify.h"

#include "views/verify_words.h"
#include "views/words.h"

#include <inttypes.h>

/* Names and paths are anything that a program could make up. */
static void put_text(struct fth_output *output, const char *text)
{
    fth_views_put_text(&output->sink, text, 0, FTH_CUT_END, output->style.unicode);
}

/* ---- one line per model ---- */

static void put_systems(struct fth_output *output, const struct fth_consistency *model)
{
    for (size_t i = 0; i < model->system_count; i++)
        fth_views_print(output, "%s%s", i ? ", " : "", model->systems[i]);
}

static void put_model(struct fth_output *output, const struct fth_verdict_model *model)
{
    enum fth_safety safety = fth_verdict_safety(model);
    fth_views_print(output, "  %-10s ", model->model->name);
    fth_views_paint(output, safety == FTH_SAFE ? FTH_PAINT_GOOD : FTH_PAINT_BAD);
    fth_views_print(output, "%-7s", fth_views_safety_word(safety));
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_views_print(output, "  ");
    fth_views_verdict_pairs(&output->sink, model);
    fth_views_print(output, "\n");
}

static void put_safety(struct fth_output *output, const struct fth_verdict *verdict)
{
    static const char *const words[] = {[FTH_SAFE] = "Safe on: ",
                                        [FTH_SAFETY_UNKNOWN] = "Not known to be safe on: ",
                                        [FTH_RACY] = "Not safe on: "};
    for (enum fth_safety safety = FTH_SAFE; safety <= FTH_RACY; safety++) {
        bool any = false;
        for (size_t i = 0; i < verdict->model_count; i++) {
            const struct fth_verdict_model *model = &verdict->models[i];
            if (fth_verdict_safety(model) != safety || model->model->system_count == 0)
                continue;
            fth_views_print(output, "%s", any ? "; " : words[safety]);
            put_systems(output, model->model);
            any = true;
        }
        fth_views_print(output, any ? "\n" : "");
    }
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
    fth_views_print(output, "\n");
}

/* "  1. /data/file: " */
static void put_heading(struct fth_output *output, size_t number, const char *name)
{
    fth_views_print(output, "%3zu. ", number);
    fth_views_paint(output, FTH_PAINT_NAME);
    put_text(output, name);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_views_print(output, ": ");
}

static void put_group(struct fth_output *output, const struct fth_verdict *verdict,
                      const struct fth_verdict_group *group, size_t number)
{
    put_heading(output, number, group->file);
    fth_views_print(output, "%s, %s", fth_hazard_text(group->hazard),
                    fth_phrase_several(group->pairs, "pair", "pairs").text);
    fth_views_print(output, group->unsure ? ", if to the same bytes: " : ", such as ");
    fth_views_verdict_range(&output->sink, group);
    fth_views_print(output, "\n");
    put_access(output, verdict, &group->first, "first");
    put_access(output, verdict, &group->second, "second");
    fth_views_print(output, "     missing ");
    put_text(output, group->missing);
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "\n     repair  ");
    put_text(output, group->repair);
    fth_views_print(output, "\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
}

static void put_list(struct fth_output *output, const struct fth_verdict *verdict,
                     const struct fth_verdict_group *groups, size_t count, size_t top)
{
    size_t shown = top && top < count ? top : count;
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++)
        put_group(output, verdict, &groups[i], i + 1);
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
    put_list(output, verdict, model->groups, model->group_count, top);
}

static void put_threads(struct fth_output *output, const struct fth_verdict *verdict,
                        const struct fth_verdict_model *model, size_t top)
{
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\n%s\n", fth_views_verdict_thread_heading(model));
    fth_views_paint(output, FTH_PAINT_PLAIN);
    put_list(output, verdict, model->thread_groups, model->thread_group_count, top);
}

/* ---- what else there is to say ---- */

static void put_race(struct fth_output *output, const struct fth_verdict *verdict,
                     const struct fth_verdict_race *race, size_t number)
{
    put_heading(output, number, race->pattern);
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
    fth_views_print(output, "\n%s\n", fth_views_verdict_race_heading(listings));
    fth_views_paint(output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++)
        put_race(output, verdict, &races[from + i], i + 1);
    if (shown < count)
        fth_views_print(output, "     and %zu more: --top 0 shows all\n", count - shown);
    return end;
}

static void put_findings_of(struct fth_output *output, const struct fth_verdict *verdict,
                            size_t number)
{
    enum { MOST = 5 };
    const struct fth_run *run = &verdict->runs->runs[number];
    size_t count, told[FTH_ORDER_FINDING_KINDS] = {0};
    const struct fth_order_finding *findings = fth_order_findings(run->order, &count);
    if (count == 0)
        return;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\nCalls that do not fit together");
    if (verdict->runs->count > 1) {
        fth_views_print(output, " in ");
        put_text(output, run->path);
    }
    fth_views_print(output, "\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < count; i++)
        if (told[findings[i].kind]++ < MOST) {
            fth_views_print(output, "  ");
            fth_views_verdict_finding(&output->sink, verdict, number, i);
            fth_views_print(output, " (call %zu.%" PRIu32 ".%" PRIu64 ")\n", findings[i].proc,
                            findings[i].thread, findings[i].call);
        }
    for (int kind = 0; kind < FTH_ORDER_FINDING_KINDS; kind++) {
        uint64_t all = fth_order_finding_count(run->order, kind);
        if (all > told[kind] || told[kind] > MOST)
            fth_views_print(output, "  %s: %" PRIu64 " in all\n", fth_order_finding_word(kind),
                            all);
    }
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
    for (size_t i = 0; i < verdict->model_count; i++)
        if (fth_views_verdict_shows(&verdict->models[i], asked))
            put_model(output, &verdict->models[i]);
    put_safety(output, verdict);
    fth_views_verdict_notes(&output->sink, verdict);
    for (size_t i = 0; i < verdict->model_count && !fth_views_stopped(output); i++)
        if (fth_views_verdict_tells(verdict, i, asked))
            put_groups(output, verdict, &verdict->models[i], top);
    for (size_t i = 0; i < verdict->model_count && !fth_views_stopped(output); i++)
        if (fth_views_verdict_tells_threads(verdict, i, asked))
            put_threads(output, verdict, &verdict->models[i], top);
    put_races(output, verdict, put_races(output, verdict, 0, false, top), true, top);
    for (size_t i = 0; i < verdict->runs->count; i++)
        put_findings_of(output, verdict, i);
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "\n%s\n", fth_views_verdict_scope());
    fth_views_paint(output, FTH_PAINT_PLAIN);
}
