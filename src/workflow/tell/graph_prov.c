#include "workflow/tell/graph_prov.h"

#include "base/json.h"
#include "base/keyed.h"
#include "base/memory.h"

#include <stdio.h>
#include <time.h>

struct names {
    char text[2][48];
};

static const char *step_name(struct names *names, uint32_t step)
{
    snprintf(names->text[0], sizeof names->text[0], "step:%u", step);
    return names->text[0];
}

static const char *file_name(struct names *names, uint32_t content, uint32_t version)
{
    snprintf(names->text[1], sizeof names->text[1], "file:%u-%u", content, version);
    return names->text[1];
}

/* "2024-05-01T12:00:00.123456789Z" */
static void put_time(struct fth_json *json, const char *key, int64_t time)
{
    time_t seconds = (time_t)(time / 1000000000);
    struct tm parts;
    char day[32], text[64];
    gmtime_r(&seconds, &parts);
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text, sizeof text, "%s.%09dZ", day, (int)(time % 1000000000));
    fth_json_key_text(json, key, text);
}

static void put_activities(struct fth_json *json, const struct fth_workflow_facts *facts)
{
    struct names names;
    fth_json_key(json, "activity");
    fth_json_begin_object(json);
    for (uint32_t i = 0; i < facts->workflow->step_count; i++) {
        const struct fth_workflow_step *step = &facts->workflow->steps[i];
        if (!facts->graph.shown[i])
            continue;
        fth_json_key(json, step_name(&names, i));
        fth_json_begin_object(json);
        put_time(json, "prov:startTime", step->start);
        put_time(json, "prov:endTime", step->end);
        fth_json_key_text(json, "prov:label", step->command);
        fth_json_key_text(json, "fathom:directory", step->directory);
        fth_json_key_text(json, "fathom:host", step->host);
        if (step->job)
            fth_json_key_text(json, "fathom:job", step->job);
        fth_json_key_text(json, "fathom:ended", step->ended);
        fth_json_key_text(json, "fathom:trace", step->trace);
        fth_json_end_object(json);
    }
    fth_json_end_object(json);
}

/* By content: the first version that there is. What nobody had written to yet is one if it was
 * read. */
static uint32_t *first_versions(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow_graph *graph = &facts->graph;
    uint32_t *first = fth_new((size_t)graph->content_count + 1, sizeof *first);
    for (uint32_t i = 0; i < graph->content_count; i++)
        first[i] = graph->contents[i].writers > 0;
    for (uint32_t i = 0; i < facts->workflow->use_count; i++)
        if (graph->moved[i].read != FTH_NO_STEP && !graph->moved[i].read_version)
            first[graph->moved[i].read] = 0;
    return first;
}

static void put_entities(struct fth_json *json, const struct fth_workflow_facts *facts,
                         const uint32_t *first)
{
    const struct fth_workflow_graph *graph = &facts->graph;
    struct names names;
    fth_json_key(json, "entity");
    fth_json_begin_object(json);
    for (uint32_t i = 0; i < graph->content_count; i++) {
        const struct fth_workflow_content *content = &graph->contents[i];
        for (uint32_t k = first[i]; k <= content->writers; k++) {
            fth_json_key(json, file_name(&names, i, k));
            fth_json_begin_object(json);
            fth_json_key_text(json, "prov:label", fth_workflow_shown_file(facts, content->file));
            fth_json_key_text(json, "prov:type", content->pipe ? "fathom:pipe" : "fathom:file");
            fth_json_end_object(json);
        }
    }
    fth_json_end_object(json);
}

static void put_relation(struct fth_json *json, const char *kind, uint32_t number,
                         const char *const keys[2], const char *one, const char *other)
{
    char name[32];
    snprintf(name, sizeof name, "_:%c%u", kind[0], number);
    fth_json_key(json, name);
    fth_json_begin_object(json);
    fth_json_key_text(json, keys[0], one);
    fth_json_key_text(json, keys[1], other);
    fth_json_end_object(json);
}

static void put_uses(struct fth_json *json, const struct fth_workflow_facts *facts, bool writes)
{
    static const char *const keys[] = {"prov:activity", "prov:entity"}, *const made[] = {
                                                                            "prov:entity",
                                                                            "prov:activity"};
    const struct fth_workflow_graph *graph = &facts->graph;
    struct fth_keyed seen = {.size = sizeof(bool)};
    struct names names;
    fth_json_key(json, writes ? "wasGeneratedBy" : "used");
    fth_json_begin_object(json);
    for (uint32_t i = 0; i < facts->workflow->use_count; i++) {
        const struct fth_workflow_use *use = &facts->workflow->uses[i];
        const struct fth_workflow_moved *moved = &graph->moved[i];
        uint32_t content = writes ? moved->written : moved->read;
        if (content == FTH_NO_STEP || !graph->shown[use->step])
            continue;
        uint32_t version = writes ? moved->written_version : moved->read_version;
        const uint32_t key[] = {use->step, content, version};
        bool *known = fth_keyed_get(&seen, key, sizeof key);
        if (*known)
            continue;
        *known = true;
        const char *file = file_name(&names, content, version),
                   *step = step_name(&names, use->step);
        put_relation(json, writes ? "g" : "u", i, writes ? made : keys, writes ? file : step,
                     writes ? step : file);
    }
    fth_keyed_free(&seen);
    fth_json_end_object(json);
}

static void put_revisions(struct fth_json *json, const struct fth_workflow_graph *graph,
                          const uint32_t *first)
{
    uint32_t number = 0;
    fth_json_key(json, "wasDerivedFrom");
    fth_json_begin_object(json);
    for (uint32_t i = 0; i < graph->content_count; i++)
        for (uint32_t k = first[i] + 1; k <= graph->contents[i].writers && !graph->contents[i].pipe;
             k++) {
            struct names later, earlier;
            char name[32];
            snprintf(name, sizeof name, "_:d%u", number++);
            fth_json_key(json, name);
            fth_json_begin_object(json);
            fth_json_key_text(json, "prov:generatedEntity", file_name(&later, i, k));
            fth_json_key_text(json, "prov:usedEntity", file_name(&earlier, i, k - 1));
            fth_json_key_text(json, "prov:type", "prov:Revision");
            fth_json_end_object(json);
        }
    fth_json_end_object(json);
}

/* Those of data are in what was used and generated. */
static void put_dependencies(struct fth_json *json, const struct fth_workflow_graph *graph)
{
    static const char *const keys[] = {"prov:informed", "prov:informant"};
    fth_json_key(json, "wasInformedBy");
    fth_json_begin_object(json);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        struct names one, other;
        const struct fth_workflow_edge *edge = &graph->edges[i];
        if (edge->kind == FTH_EDGE_JOB)
            put_relation(json, "i", i, keys, step_name(&one, edge->to),
                         step_name(&other, edge->from));
    }
    fth_json_end_object(json);
}

void fth_workflow_write_prov(const struct fth_workflow_facts *facts, struct fth_sink *sink)
{
    struct fth_json json;
    uint32_t *first = first_versions(facts);
    fth_json_open(&json, sink, 2);
    fth_json_begin_object(&json);
    fth_json_key(&json, "prefix");
    fth_json_begin_object(&json);
    fth_json_key_text(&json, "step", "urn:fathom:step:");
    fth_json_key_text(&json, "file", "urn:fathom:file:");
    fth_json_key_text(&json, "fathom", "urn:fathom:");
    fth_json_end_object(&json);
    put_activities(&json, facts);
    put_entities(&json, facts, first);
    put_uses(&json, facts, false);
    put_uses(&json, facts, true);
    put_revisions(&json, &facts->graph, first);
    put_dependencies(&json, &facts->graph);
    fth_json_end_object(&json);
    fth_json_end_document(&json);
    free(first);
}
