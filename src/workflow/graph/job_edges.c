#include "workflow/graph/job_edges.h"

#include "base/memory.h"

#include <string.h>

/* Steps of a job, or FTH_NO_STEP. */
struct ends {
    uint32_t first, last;
};

static struct ends *find_ends(const struct fth_workflow *workflow, const uint32_t *jobs)
{
    struct ends *ends = fth_new((size_t)workflow->job_count + 1, sizeof *ends);
    for (uint32_t i = 0; i < workflow->job_count; i++)
        ends[i] = (struct ends){FTH_NO_STEP, FTH_NO_STEP};
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        const struct fth_workflow_step *steps = workflow->steps;
        if (jobs[i] == FTH_NO_STEP || steps[i].is_script)
            continue;
        struct ends *of = &ends[jobs[i]];
        if (of->first == FTH_NO_STEP || steps[i].start < steps[of->first].start)
            of->first = i;
        if (of->last == FTH_NO_STEP || steps[i].end > steps[of->last].end)
            of->last = i;
    }
    return ends;
}

/* Who needs an array needs all of its tasks. */
static bool is_meant(const char *number, const char *needed, size_t length)
{
    return !strncmp(number, needed, length) &&
           (!number[length] || number[length] == '_' || number[length] == '[');
}

static int by_to(const void *one, const void *other)
{
    const struct fth_job_edge *a = one, *b = other;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

struct fth_job_edge *fth_job_edges(const struct fth_workflow *workflow, const uint32_t *jobs,
                                   uint32_t *count)
{
    struct ends *ends = find_ends(workflow, jobs);
    struct fth_job_edge *edges = NULL;
    *count = 0;
    for (uint32_t i = 0; i < workflow->job_count; i++) {
        const char *needs = workflow->jobs[i].needs;
        while (ends[i].first != FTH_NO_STEP && *needs) {
            size_t length = strcspn(needs, " ");
            for (uint32_t k = 0; k < workflow->job_count; k++) {
                if (k == i || ends[k].last == FTH_NO_STEP ||
                    !is_meant(workflow->jobs[k].number, needs, length))
                    continue;
                FTH_GROW(edges, *count);
                edges[(*count)++] = (struct fth_job_edge){ends[k].last, ends[i].first};
            }
            needs += length;
            needs += *needs == ' ';
        }
    }
    if (*count)
        qsort(edges, *count, sizeof *edges, by_to);
    free(ends);
    return edges;
}

/* Marks the jobs that it needs; was one of them not marked before? */
static bool mark_needed(const struct fth_workflow *workflow, uint32_t job, bool *meant)
{
    bool news = false;
    for (const char *needs = workflow->jobs[job].needs; *needs;) {
        size_t length = strcspn(needs, " ");
        for (uint32_t k = 0; k < workflow->job_count; k++)
            if (!meant[k] && is_meant(workflow->jobs[k].number, needs, length))
                news = meant[k] = true;
        needs += length;
        needs += *needs == ' ';
    }
    return news;
}

/* And what those need that are marked. */
static void mark_all_needed(const struct fth_workflow *workflow, bool *marked)
{
    for (bool news = true; news;) {
        news = false;
        for (uint32_t i = 0; i < workflow->job_count; i++)
            news |= marked[i] && mark_needed(workflow, i, marked);
    }
}

bool *fth_jobs_meant(const struct fth_workflow *workflow, const uint32_t *jobs)
{
    bool *meant = fth_new((size_t)workflow->job_count + 1, sizeof *meant);
    for (uint32_t i = 0; i < workflow->step_count; i++)
        if (jobs[i] != FTH_NO_STEP)
            meant[jobs[i]] = true;
    mark_all_needed(workflow, meant);
    return meant;
}

bool *fth_jobs_needed(const struct fth_workflow *workflow, uint32_t job)
{
    bool *needed = fth_new((size_t)workflow->job_count + 1, sizeof *needed);
    mark_needed(workflow, job, needed);
    mark_all_needed(workflow, needed);
    return needed;
}
