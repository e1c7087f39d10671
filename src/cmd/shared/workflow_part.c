/* The page of `fathom workflow show --html` as a part of the page of a run, and which processes its
 * boxes and steps are. */
#include "cmd/shared/workflow_part.h"

#include "base/json.h"
#include "base/memory.h"
#include "workflow/gather/trace_steps.h"
#include "workflow/graph/doubts.h"
#include "workflow/tell/workflow_html.h"

#include <string.h>

static void put_html(struct fth_json *json, const struct fth_workflow_facts *facts)
{
    static struct fth_output output;
    struct fth_results results = {0};
    fth_workflow_tables(facts, &results);
    fth_workflow_findings(facts, &results);
    fth_sink_open_memory(&output.sink);
    fth_workflow_html(&output, facts, &results, "h2", FTH_WORKFLOW_PAGE_ROWS);
    fth_sink_char(&output.sink, 0);
    /* The writer of JSON shows control characters of names as what they are. */
    for (char *at = output.sink.bytes; (at = strchr(at, '\n'));)
        *at = ' ';
    fth_json_key_text(json, "html", output.sink.bytes);
    fth_sink_close_memory(&output.sink);
    fth_results_free(&results);
}

/* By box or step its processes; `of`: by step, which one it is in. */
static void put_processes(struct fth_json *json, const char *key, size_t count,
                          const uint32_t *owners, size_t process_count, const uint32_t *of)
{
    uint32_t *next = fth_new(process_count + 1, sizeof *next),
             *first = fth_new(count + 1, sizeof *first);
    for (size_t i = process_count; i-- > 0;) {
        uint32_t at = of ? of[owners[i]] : owners[i];
        if (at >= count)
            continue;
        next[i] = first[at];
        first[at] = (uint32_t)i + 1;
    }
    fth_json_key(json, key);
    fth_json_begin_array(json);
    for (size_t at = 0; at < count; at++) {
        fth_json_begin_array(json);
        for (uint32_t i = first[at]; i; i = next[i - 1])
            fth_json_unsigned(json, i - 1);
        fth_json_end_array(json);
    }
    fth_json_end_array(json);
    free(next);
    free(first);
}

static void put_workflow(struct fth_sink *to, struct fth_workflow *workflow, const uint32_t *owners,
                         size_t process_count)
{
    struct fth_workflow_facts facts;
    struct fth_json json;
    fth_workflow_facts_make(&facts, workflow);
    fth_workflow_note_doubts(workflow, &facts.graph);
    fth_json_open(&json, to, 1);
    fth_json_begin_object(&json);
    put_html(&json, &facts);
    put_processes(&json, "boxes", facts.boxes.box_count, owners, process_count,
                  facts.boxes.of_step);
    put_processes(&json, "steps", workflow->step_count, owners, process_count, NULL);
    fth_json_end_object(&json);
    fth_json_end_document(&json);
    fth_workflow_facts_free(&facts);
}

int fth_cmd_pack_workflow(struct fth_sink *to, struct fth_trace *trace, const char *path,
                          unsigned jobs, struct fth_error **error)
{
    struct fth_workflow workflow = {0};
    size_t steps;
    uint32_t *owners = fth_workflow_steps_of(trace, &steps);
    int result = 0;
    if (steps > 1)
        result = fth_workflow_add_trace(&workflow, trace, path, jobs, error);
    if (steps > 1 && !result)
        put_workflow(to, &workflow, owners, fth_trace_process_count(trace));
    fth_workflow_free(&workflow);
    free(owners);
    return result;
}
