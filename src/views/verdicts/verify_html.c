/* The verdict as an HTML page: first which model is enough, then which file systems provide it,
 * then what is racy. */
#include "views/verdicts/verify_forms.h"

#include "views/tables/html.h"
#include "views/sentences/verify_words.h"
#include "views/output/display_text.h"

#include <inttypes.h>
#include <string.h>

/* Fills *sink, a new one in memory, with a text that ends. */
static const char *text_of(struct fth_sink *sink)
{
    fth_sink_char(sink, 0);
    return sink->bytes;
}

/* ---- the verdict, and the ladder ---- */

static void put_head(struct fth_output *output, const struct fth_verdict *verdict,
                     const char *asked)
{
    struct fth_sink sentence;
    fth_sink_open_memory(&sentence);
    fth_views_verdict_sentence(&sentence, verdict, asked);
    fth_sink_text(&output->sink, "<p class=quiet>fathom verify: ");
    for (size_t i = 0; i < verdict->runs->count; i++) {
        fth_sink_text(&output->sink, i ? ", " : "");
        fth_views_html_name(output, verdict->runs->runs[i].path);
    }
    fth_sink_text(&output->sink, "</p>\n");
    fth_views_html_put(output, "h1", text_of(&sentence));
    fth_sink_close_memory(&sentence);
}

static void put_systems(struct fth_output *output, const struct fth_consistency *model)
{
    if (!model->system_count)
        return;
    fth_sink_text(&output->sink, "<br><span class=quiet>");
    for (size_t i = 0; i < model->system_count; i++) {
        fth_sink_text(&output->sink, i ? ", " : "");
        fth_views_html_text(output, model->systems[i]);
    }
    fth_sink_text(&output->sink, "</span>");
}

static void put_rung(struct fth_output *output, const struct fth_verdict *verdict,
                     const struct fth_verdict_model *model)
{
    enum fth_safety safety = fth_verdict_safety(model);
    bool is_safe = safety <= FTH_SAFE_AS_SEEN, is_enough = verdict->weakest == model->model;
    struct fth_sink pairs;
    fth_sink_open_memory(&pairs);
    fth_views_verdict_pairs(&pairs, model);
    fth_views_print(output, "<li class=\"%s%s\"><strong>", is_safe ? "is-safe" : "is-racy",
                    is_enough ? " is-enough" : "");
    fth_views_html_text(output, model->model->name);
    fth_views_print(output, "</strong> <span class=%s>%s</span>%s: ", is_safe ? "good" : "bad",
                    safety == FTH_SAFE           ? "&#10003; safe"
                    : safety == FTH_SAFE_AS_SEEN ? "&#10003; safe as far as was seen"
                    : safety == FTH_RACY         ? "&#10007; racy"
                                                 : "? not known",
                    is_enough ? ", enough" : "");
    fth_views_html_text(output, text_of(&pairs));
    put_systems(output, model->model);
    fth_sink_text(&output->sink, "</li>\n");
    fth_sink_close_memory(&pairs);
}

/* The strongest model stands at the top, what promises less below it. Those that are on no ladder
 * follow. */
static void put_ladder(struct fth_output *output, const struct fth_verdict *verdict,
                       const char *asked)
{
    for (int apart = 0; apart < 2; apart++) {
        bool any = false;
        for (size_t i = 0; i < verdict->model_count; i++) {
            const struct fth_verdict_model *model = &verdict->models[i];
            if (model->is_on_ladder == apart || !fth_views_verdict_shows(model, asked))
                continue;
            if (!any) {
                fth_views_html_put(output, "h2",
                                   apart ? "Separate models"
                                         : "Consistency models, strongest first");
                fth_sink_text(&output->sink, "<ol class=ladder>\n");
            }
            any = true;
            put_rung(output, verdict, model);
        }
        fth_sink_text(&output->sink, any ? "</ol>\n" : "");
    }
}

/* ---- tables ---- */

static void put_models(struct fth_output *output, const struct fth_verdict *verdict)
{
    struct fth_table *table = fth_views_verdict_models(verdict, true);
    fth_views_html_table(output, table, 0);
    fth_table_free(table);
}

static void put_file_systems(struct fth_output *output, const struct fth_verdict *verdict)
{
    static const struct fth_column columns[] = {
        {"system", "file system", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
        {"verdict", "this run on it", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
        {"model", "keeps", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
        {"about", "which means", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    };
    static const struct fth_shape shape = {"systems", "What file systems promise", columns, 4, 0};
    static const char *const words[] = {[FTH_SAFE] = "\xe2\x9c\x93 safe",
                                        [FTH_SAFE_AS_SEEN] = "\xe2\x9c\x93 safe as far as was seen",
                                        [FTH_SAFETY_UNKNOWN] = "? not known to be safe",
                                        [FTH_RACY] = "\xe2\x9c\x97 not safe"};
    struct fth_table *table = fth_table_new(&shape);
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        for (size_t k = 0; k < model->model->system_count; k++) {
            size_t row = fth_table_add_row(table);
            fth_table_set(table, row, 0, fth_cell_text(model->model->systems[k]));
            fth_table_set(
                table, row, 1,
                fth_cell_text(words[fth_verdict_of_system(model, model->model->systems[k])]));
            fth_table_set(table, row, 2, fth_cell_text(model->model->name));
            fth_table_set(table, row, 3, fth_cell_text(model->model->about));
        }
    }
    if (fth_table_rows(table)) {
        fth_views_html_put(output, "h2", "File systems");
        fth_views_html_table(output, table, 0);
    }
    fth_table_free(table);
}

/* ---- violations ---- */

static void put_access(struct fth_output *output, const struct fth_verdict *verdict,
                       const struct fth_verdict_access *access, const char *label)
{
    struct fth_verdict_link links[FTH_MOST_LINKS];
    size_t count = fth_verdict_chain(verdict, access->chain, links, FTH_MOST_LINKS);
    struct fth_sink who;
    fth_sink_open_memory(&who);
    fth_views_verdict_who(&who, verdict, access);
    fth_views_print(output, "<dt>%s</dt><dd>", label);
    fth_views_html_text(output, text_of(&who));
    fth_views_print(output, " at %.6f s: ", (double)access->start / 1e9);
    for (size_t i = 0; i < count && i < FTH_MOST_LINKS; i++) {
        fth_sink_text(&output->sink, i ? " &rarr; <code>" : "<code>");
        fth_views_html_text(output, links[i].function->name);
        fth_sink_text(&output->sink, "</code>");
        if (!links[i].source)
            continue;
        fth_sink_text(&output->sink, " (");
        fth_views_html_name(output, links[i].source);
        fth_sink_text(&output->sink, ")");
    }
    const char *removal = fth_views_verdict_removal(verdict, access);
    if (removal)
        fth_views_print(output, ", which %s", removal);
    fth_sink_text(&output->sink, "</dd>\n");
    fth_sink_close_memory(&who);
}

static void put_point(struct fth_output *output, const char *label, const char *text)
{
    fth_views_print(output, "<dt>%s</dt>", label);
    fth_views_html_put(output, "dd", text);
}

static void put_below(struct fth_output *output, const struct fth_verdict *verdict,
                      const struct fth_verdict_model *model, const struct fth_verdict_group *group)
{
    const struct fth_verdict_by_file *below = fth_views_verdict_below(verdict, model, group);
    struct fth_sink words;
    if (!below)
        return;
    fth_sink_open_memory(&words);
    fth_views_verdict_put_below(&words, verdict, below, group);
    put_point(output, "below", text_of(&words));
    fth_sink_close_memory(&words);
}

static void put_group(struct fth_output *output, const struct fth_verdict *verdict,
                      const struct fth_verdict_model *model, const struct fth_verdict_group *group,
                      bool is_open)
{
    fth_views_print(output, "<details%s><summary>", is_open ? " open" : "");
    fth_views_html_name(output, group->file);
    if (group->renamed) {
        fth_views_print(output, " (now ");
        fth_views_html_name(output, group->renamed);
        fth_views_print(output, ")");
    }
    fth_views_print(output, ": ");
    fth_views_verdict_hazard(&output->sink, group);
    fth_views_print(output, ", %s</summary><div><dl>\n",
                    fth_phrase_several(group->pairs, "pair", "pairs").text);
    fth_views_print(output, "<dt>%s</dt><dd>", fth_views_verdict_example(group));
    fth_views_verdict_shared(&output->sink, group);
    fth_sink_text(&output->sink, "</dd>\n");
    put_access(output, verdict, &group->first, "first");
    put_access(output, verdict, &group->second, "second");
    if (group->unsure && group->why_unsure)
        put_point(output, group->by_means ? "not known" : "doubt", group->why_unsure);
    put_below(output, verdict, model, group);
    put_point(output, "reason", group->missing);
    put_point(output, "repair", group->repair);
    fth_sink_text(&output->sink, "</dl></div></details>\n");
}

static void put_more(struct fth_output *output, size_t shown, size_t count)
{
    if (shown < count)
        fth_views_print(output, "<p class=quiet>and %zu more: --top 0 shows all</p>\n",
                        count - shown);
}

static void put_groups(struct fth_output *output, const struct fth_verdict *verdict,
                       const struct fth_verdict_model *model, size_t top)
{
    size_t shown = top && top < model->group_count ? top : model->group_count;
    if (!shown)
        return;
    fth_views_print(output, "<h2>%s under ", model->violations ? "Racy" : "Not known to be safe");
    fth_views_html_text(output, model->model->name);
    fth_sink_text(&output->sink, "</h2>\n");
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++)
        put_group(output, verdict, model, &model->groups[i], i == 0);
    put_more(output, shown, model->group_count);
}

static void put_threads(struct fth_output *output, const struct fth_verdict *verdict,
                        const struct fth_verdict_model *model, size_t top)
{
    size_t count = model->thread_group_count, shown = top && top < count ? top : count;
    fth_views_html_put(output, "h2", fth_views_verdict_thread_heading(model));
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++)
        put_group(output, verdict, model, &model->thread_groups[i], false);
    put_more(output, shown, count);
}

static void put_race(struct fth_output *output, const struct fth_verdict *verdict,
                     const struct fth_verdict_race *race)
{
    struct fth_sink words;
    fth_sink_open_memory(&words);
    fth_views_verdict_race(&words, race);
    fth_sink_text(&output->sink, "<details><summary>");
    fth_views_html_name(output, race->pattern);
    fth_sink_text(&output->sink, ": ");
    fth_views_html_text(output, text_of(&words));
    fth_sink_text(&output->sink, "</summary><div><dl>\n");
    put_access(output, verdict, &race->first, "first");
    put_access(output, verdict, &race->second, "second");
    fth_sink_text(&output->sink, "</dl></div></details>\n");
    fth_sink_close_memory(&words);
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
    if (!count)
        return end;
    fth_views_html_put(output, "h2", fth_views_verdict_race_heading(verdict, listings));
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++)
        put_race(output, verdict, &races[from + i]);
    put_more(output, shown, count);
    return end;
}

static void put_position_race(struct fth_output *output, const struct fth_verdict *verdict,
                              const struct fth_verdict_position_race *race)
{
    struct fth_sink words, missing;
    fth_sink_open_memory(&words);
    fth_sink_open_memory(&missing);
    fth_views_verdict_position_race(&words, race);
    fth_views_verdict_position_missing(&missing, race);
    fth_sink_text(&output->sink, "<details><summary>");
    fth_views_html_name(output, race->file);
    fth_sink_text(&output->sink, ": ");
    fth_views_html_text(output, text_of(&words));
    fth_sink_text(&output->sink, "</summary><div><dl>\n");
    put_access(output, verdict, &race->first, "first");
    put_access(output, verdict, &race->second, "second");
    fth_sink_text(&output->sink, "<dt>reason</dt><dd>");
    fth_views_html_text(output, text_of(&missing));
    fth_sink_text(&output->sink, "</dd>\n<dt>repair</dt><dd>");
    fth_views_html_text(output, fth_views_verdict_position_repair(race));
    fth_sink_text(&output->sink, "</dd>\n</dl></div></details>\n");
    fth_sink_close_memory(&missing);
    fth_sink_close_memory(&words);
}

static void put_position_races(struct fth_output *output, const struct fth_verdict *verdict,
                               size_t top)
{
    size_t count = verdict->position_race_count, shown = top && top < count ? top : count;
    if (!count)
        return;
    fth_views_html_put(output, "h2", FTH_VIEWS_POSITION_HEADING);
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++)
        put_position_race(output, verdict, &verdict->position_races[i]);
    put_more(output, shown, count);
}

/* ---- what else there is to say ---- */

static void put_findings(struct fth_output *output, const struct fth_verdict *verdict,
                         size_t number)
{
    enum { MOST = 100 };
    const struct fth_run *run = &verdict->runs->runs[number];
    size_t count;
    const struct fth_order_finding *findings = fth_order_findings(run->order, &count);
    if (!count)
        return;
    fth_sink_text(&output->sink, "<h2>Mismatched calls in ");
    fth_views_html_name(output, run->path);
    fth_sink_text(&output->sink, "</h2>\n<ul>\n");
    for (size_t i = 0; i < count && i < MOST; i++) {
        fth_sink_text(&output->sink, "<li>");
        struct fth_sink text;
        fth_sink_open_memory(&text);
        fth_views_verdict_finding(&text, verdict, number, i);
        fth_views_html_text(output, text_of(&text));
        fth_sink_close_memory(&text);
        fth_views_print(output,
                        " <span class=quiet>(call %zu.%" PRIu32 ".%" PRIu64 ")</span></li>\n",
                        findings[i].proc, findings[i].thread, findings[i].call);
    }
    fth_sink_text(&output->sink, "</ul>\n");
    put_more(output, count < MOST ? count : MOST, count);
}

static void put_notes(struct fth_output *output, const struct fth_verdict *verdict)
{
    struct fth_sink notes;
    fth_sink_open_memory(&notes);
    fth_views_verdict_notes(&notes, verdict);
    text_of(&notes);
    char *rest = notes.bytes;
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        fth_views_html_put(output, "p class=quiet", line);
    fth_sink_close_memory(&notes);
    fth_views_html_put(output, "p class=quiet", fth_views_verdict_scope());
}

void fth_views_verify_html(struct fth_output *output, const struct fth_verdict *verdict,
                           const char *asked, size_t top)
{
    put_head(output, verdict, asked);
    put_ladder(output, verdict, asked);
    put_notes(output, verdict);
    put_file_systems(output, verdict);
    for (size_t i = 0; i < verdict->model_count && !fth_views_stopped(output); i++)
        if (fth_views_verdict_shows_violations(verdict, i, asked))
            put_groups(output, verdict, &verdict->models[i], top);
    for (size_t i = 0; i < verdict->model_count && !fth_views_stopped(output); i++)
        if (fth_views_verdict_shows_threads(verdict, i, asked))
            put_threads(output, verdict, &verdict->models[i], top);
    put_position_races(output, verdict, top);
    put_races(output, verdict, put_races(output, verdict, 0, false, top), true, top);
    for (size_t i = 0; i < verdict->runs->count; i++)
        put_findings(output, verdict, i);
    fth_views_html_put(output, "h2", "Counts");
    put_models(output, verdict);
}
