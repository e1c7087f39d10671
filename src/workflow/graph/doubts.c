/* Looks for signs that steps do not belong together, or that they do and it does not show. */
#include "workflow/graph/doubts.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "workflow/graph/step_groups.h"

#include <string.h>

/* ---- steps that nothing joins ---- */

static void look_at_groups(struct fth_workflow *workflow, const struct fth_workflow_graph *graph)
{
    uint32_t *groups = fth_step_groups_new(workflow), count = 0, last = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].kind != FTH_EDGE_ORDER)
            fth_step_groups_join(groups, graph->edges[i].from, graph->edges[i].to);
    for (uint32_t i = 0; i < workflow->step_count; i++)
        if (fth_step_group(groups, i) == i) {
            count++;
            last = i;
        }
    if (count > 1)
        fth_workflow_note(workflow,
                          "whether this is one workflow: no data, job or trace joins %u groups of "
                          "steps, for example those of '%.60s' (step 0) and of '%.60s' (step %u)",
                          count, workflow->steps[0].command, workflow->steps[last].command, last);
    free(groups);
}

/* ---- files that are read before they are there ---- */

static const char *host_of(const struct fth_workflow *workflow, uint32_t step)
{
    return workflow->steps[step].host;
}

/* The first writer on another host of a file that was read when nobody had written it. */
static void look_at_clocks(struct fth_workflow *workflow, const struct fth_workflow_graph *graph)
{
    uint32_t *readers = fth_new((size_t)workflow->files.count + 1, sizeof *readers);
    for (uint32_t i = 0; i < graph->content_count; i++) {
        const struct fth_workflow_content *content = &graph->contents[i];
        if (!content->writers && content->reader != FTH_NO_STEP && content->read)
            readers[content->file] = content->reader + 1;
        uint32_t reader = readers[content->file];
        if (!content->writers || !reader ||
            !strcmp(host_of(workflow, content->writer), host_of(workflow, reader - 1)))
            continue;
        fth_workflow_note(workflow,
                          "whether step %u (%s) has data from step %u (%s): by the clocks of these "
                          "nodes it read %s before that was written. It read what was there "
                          "before, or the clocks differ",
                          reader - 1, host_of(workflow, reader - 1), content->writer,
                          host_of(workflow, content->writer),
                          fth_workflow_file(workflow, content->file));
        break;
    }
    free(readers);
}

/* ---- one path on several hosts ---- */

/* Behind "HOST:"; NULL: the file is the same on all hosts. */
static const char *path_on_host(const char *name)
{
    const char *colon = *name == '/' ? NULL : strchr(name, ':');
    return colon && colon[1] == '/' ? colon + 1 : NULL;
}

/* A file that comes from nowhere on one host, and was written on another one: in containers of one
 * node, or in a folder that is mounted on both, it may be the same. */
static void look_at_hosts(struct fth_workflow *workflow, const struct fth_workflow_graph *graph)
{
    struct fth_keyed writers = {.size = sizeof(uint32_t)};
    uint32_t count = 0, example = 0, writer = 0;
    for (uint32_t i = 0; i < graph->content_count; i++) {
        const char *path = path_on_host(fth_workflow_file(workflow, graph->contents[i].file));
        if (path && graph->contents[i].writers)
            *(uint32_t *)fth_keyed_get(&writers, path, strlen(path)) =
                graph->contents[i].writer + 1;
    }
    for (uint32_t i = 0; i < graph->content_count; i++) {
        const struct fth_workflow_content *content = &graph->contents[i];
        const char *path = path_on_host(fth_workflow_file(workflow, content->file));
        if (!path || content->writers || !content->read)
            continue;
        uint32_t found = *(uint32_t *)fth_keyed_get(&writers, path, strlen(path));
        if (found && !count++) {
            example = i;
            writer = found - 1;
        }
    }
    if (count) {
        const struct fth_workflow_content *content = &graph->contents[example];
        const char *path = path_on_host(fth_workflow_file(workflow, content->file));
        fth_workflow_note(workflow,
                          "whether %s is one file: step %u wrote it on %s, and step %u read it on "
                          "%s, where nobody wrote it (%u such %s). If these hosts share a folder, "
                          "as containers may do, name it: --shared FOLDER",
                          path, writer, host_of(workflow, writer), content->reader,
                          host_of(workflow, content->reader), count, count == 1 ? "file" : "files");
    }
    fth_keyed_free(&writers);
}

/* ---- jobs ---- */

static void look_at_jobs(struct fth_workflow *workflow, const struct fth_workflow_graph *graph)
{
    bool *seen = fth_new((size_t)workflow->job_count + 1, sizeof *seen);
    uint32_t unseen = 0, example = 0, unknown = 0, step = 0;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        if (graph->job[i] != FTH_NO_STEP)
            seen[graph->job[i]] = true;
        else if (workflow->steps[i].job && !unknown++)
            step = i;
    }
    for (uint32_t i = 0; i < workflow->job_count; i++)
        if (graph->job_meant[i] && !seen[i] && !unseen++)
            example = i;
    if (unseen)
        fth_workflow_note(workflow, "what %u %s did, of which there are no traces: %s%s", unseen,
                          unseen == 1 ? "job" : "jobs", workflow->jobs[example].number,
                          unseen == 1 ? "" : " ...");
    if (unknown && workflow->job_count)
        fth_workflow_note(workflow,
                          "how long the jobs of %u %s waited, which the batch system does not tell "
                          "of: %s%s",
                          unknown, unknown == 1 ? "step" : "steps", workflow->steps[step].job,
                          unknown == 1 ? "" : " ...");
    free(seen);
}

/* Jobs are taken away that wait for none of those that are left; what stays waits in a circle, or
 * for one. */
static void look_for_circles(struct fth_workflow *workflow, const struct fth_workflow_graph *graph)
{
    bool *is_free = fth_new((size_t)workflow->job_count + 1, sizeof *is_free),
         *waits = fth_new((size_t)workflow->job_count + 1, sizeof *waits);
    uint32_t stays = workflow->job_count, before = stays + 1;
    while (stays && stays < before) {
        before = stays;
        memset(waits, 0, workflow->job_count * sizeof *waits);
        for (uint32_t i = 0; i < graph->edge_count; i++) {
            const struct fth_workflow_edge *edge = &graph->edges[i];
            if (edge->kind == FTH_EDGE_JOB && !is_free[graph->job[edge->from]])
                waits[graph->job[edge->to]] = true;
        }
        for (uint32_t i = 0; i < workflow->job_count; i++) {
            stays -= !is_free[i] && !waits[i];
            is_free[i] |= !waits[i];
        }
    }
    for (uint32_t i = 0; i < workflow->job_count && stays; i++) {
        if (is_free[i])
            continue;
        fth_workflow_note(workflow,
                          "in which order %u jobs ran: by what the batch system tells, they wait "
                          "for each other in a circle, or for such jobs: %s ...",
                          stays, workflow->jobs[i].number);
        break;
    }
    free(is_free);
    free(waits);
}

void fth_workflow_note_doubts(struct fth_workflow *workflow, const struct fth_workflow_graph *graph)
{
    look_at_groups(workflow, graph);
    look_at_clocks(workflow, graph);
    look_at_hosts(workflow, graph);
    look_at_jobs(workflow, graph);
    look_for_circles(workflow, graph);
}
