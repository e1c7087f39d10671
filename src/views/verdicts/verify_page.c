/* The verdict for the page of a run: what `fathom verify --json` prints, and beside it the words in
 * which the text says the same, so that the page cannot say more than the text does. */
#include "base/memory.h"
#include "views/sentences/verify_words.h"
#include "views/verdicts/verify_forms.h"

#include <stdlib.h>
#include <string.h>

/* Puts what has been written into `text`, and closes it. */
static void put_words(struct fth_json *json, const char *key, struct fth_sink *text)
{
    fth_sink_char(text, 0);
    if (key)
        fth_json_key(json, key);
    fth_json_text(json, text->bytes);
    fth_sink_close_memory(text);
}

/* "write after read, 3 pairs, such as bytes 0 to 7" */
static void put_title(struct fth_json *json, const struct fth_verdict_group *group)
{
    struct fth_sink text;
    fth_sink_open_memory(&text);
    fth_views_verdict_hazard(&text, group);
    fth_sink_text(&text, ", ");
    fth_views_verdict_count(&text, group->pairs, "pair", "pairs");
    fth_sink_text(&text, ", ");
    fth_views_verdict_put_example(&text, group);
    put_words(json, "title", &text);
}

static void put_access(struct fth_json *json, const char *key, const struct fth_verdict *verdict,
                       const struct fth_verdict_access *access)
{
    struct fth_sink text;
    const char *removal = fth_views_verdict_removal(verdict, access);
    fth_sink_open_memory(&text);
    fth_views_verdict_who(&text, verdict, access);
    if (removal) {
        fth_sink_text(&text, ", which ");
        fth_sink_text(&text, removal);
    }
    put_words(json, key, &text);
}

static void put_groups(struct fth_json *json, const char *key, const struct fth_verdict *verdict,
                       const struct fth_verdict_model *model,
                       const struct fth_verdict_group *groups, size_t count)
{
    fth_json_key(json, key);
    fth_json_begin_array(json);
    for (size_t i = 0; i < count; i++) {
        const struct fth_verdict_by_file *below =
            fth_views_verdict_below(verdict, model, &groups[i]);
        fth_json_begin_object(json);
        put_title(json, &groups[i]);
        put_access(json, "first", verdict, &groups[i].first);
        put_access(json, "second", verdict, &groups[i].second);
        if (below) {
            struct fth_sink text;
            fth_sink_open_memory(&text);
            fth_views_verdict_put_below(&text, verdict, below, &groups[i]);
            put_words(json, "below", &text);
        }
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

static void put_model(struct fth_json *json, const struct fth_verdict *verdict, size_t index)
{
    const struct fth_verdict_model *model = &verdict->models[index];
    struct fth_sink text;
    fth_json_begin_object(json);
    fth_json_key_text(json, "name", model->model->name);
    fth_json_key_text(json, "about", model->model->about);
    fth_json_key_text(json, "verdict", fth_views_model_word(model));
    fth_sink_open_memory(&text);
    fth_views_verdict_pairs(&text, model);
    put_words(json, "pairs", &text);
    fth_json_key_boolean(json, "shows_groups",
                         fth_views_verdict_shows_violations(verdict, index, NULL));
    fth_json_key_text(json, "threads",
                      fth_views_verdict_shows_threads(verdict, index, NULL)
                          ? fth_views_verdict_thread_heading(model)
                          : NULL);
    put_groups(json, "groups", verdict, model, model->groups, model->group_count);
    put_groups(json, "thread_groups", verdict, model, model->thread_groups,
               model->thread_group_count);
    fth_json_end_object(json);
}

static void put_races(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key(json, "races");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->race_group_count; i++) {
        const struct fth_verdict_race *race = &verdict->race_groups[i];
        struct fth_sink text;
        fth_json_begin_object(json);
        fth_json_key_text(json, "heading", fth_views_verdict_race_heading(verdict, race->listing));
        fth_sink_open_memory(&text);
        fth_views_verdict_race(&text, race);
        put_words(json, "title", &text);
        put_access(json, "first", verdict, &race->first);
        put_access(json, "second", verdict, &race->second);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

static void put_positions(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key(json, "positions");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->position_race_count; i++) {
        const struct fth_verdict_position_race *race = &verdict->position_races[i];
        struct fth_sink text;
        fth_json_begin_object(json);
        fth_json_key_text(json, "heading", FTH_VIEWS_POSITION_HEADING);
        fth_sink_open_memory(&text);
        fth_views_verdict_position_race(&text, race);
        put_words(json, "title", &text);
        put_access(json, "first", verdict, &race->first);
        put_access(json, "second", verdict, &race->second);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

/* A line is an item. */
static void put_remarks(struct fth_json *json, const struct fth_verdict *verdict)
{
    struct fth_output *text = fth_new(1, sizeof *text);
    fth_sink_open_memory(&text->sink);
    text->style.unicode = true;
    fth_views_verify_remarks(text, verdict);
    fth_sink_char(&text->sink, 0);
    char *rest = text->sink.bytes;
    fth_json_key(json, "remarks");
    fth_json_begin_array(json);
    for (char *line; !verdict->no_program && (line = strsep(&rest, "\n")) && *line;)
        fth_json_text(json, line);
    fth_json_end_array(json);
    fth_sink_close_memory(&text->sink);
    free(text);
}

void fth_views_verify_page(struct fth_sink *to, const struct fth_verdict *verdict)
{
    struct fth_json json;
    struct fth_sink text;
    fth_json_open(&json, to, 0);
    fth_json_begin_object(&json);
    fth_sink_open_memory(&text);
    fth_views_verdict_sentence(&text, verdict, NULL);
    put_words(&json, "sentence", &text);
    fth_json_key(&json, "words");
    fth_json_begin_object(&json);
    for (enum fth_safety safety = FTH_SAFE; safety <= FTH_RACY; safety++)
        fth_json_key_text(&json, fth_views_verdict_key(safety), fth_views_safety_word(safety));
    fth_json_end_object(&json);
    fth_json_key(&json, "models");
    fth_json_begin_array(&json);
    for (size_t i = 0; i < verdict->model_count && !verdict->no_program && !verdict->no_calls; i++)
        put_model(&json, verdict, i);
    fth_json_end_array(&json);
    put_remarks(&json, verdict);
    put_races(&json, verdict);
    put_positions(&json, verdict);
    fth_json_key_text(&json, "scope", fth_views_verdict_scope());
    fth_json_key(&json, "facts");
    fth_json_begin_object(&json);
    fth_views_verify_facts(&json, verdict);
    fth_json_end_object(&json);
    fth_json_end_object(&json);
}
