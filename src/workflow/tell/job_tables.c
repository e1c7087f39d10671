/* One row for each job that the batch system knows of. */
#include "workflow/tell/job_tables.h"

#include "base/memory.h"
#include "base/saturating.h"

enum job_column {
    J_JOB,
    J_NAME,
    J_STATE,
    J_NEEDS,
    J_SUBMIT,
    J_QUEUED,
    J_START,
    J_LENGTH,
    J_LIMIT,
    J_STEPS,
    J_PROCESSORS,
    J_BUSY,
    J_MEMORY,
    J_USED_MEMORY
};
static const struct fth_column columns[] = {
    {"job", "job", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"name", "name", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"state", "state", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"needs", "had to wait for", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"submit", "submitted", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"queued", "waited to start", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"start", "start", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"duration", "lasted", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"limit", "limit", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"steps", "steps", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"processors", "processors", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL},
    {"busy", "busy at most", FTH_UNIT_RATIO, FTH_SHOW_UNLESS_NULL},
    {"memory", "memory", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"memory_used", "used", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape shape = {"jobs", "Jobs, as the batch system tells", columns,
                                       sizeof columns / sizeof *columns, 0};

struct fth_job_use *fth_job_uses(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow *workflow = facts->workflow;
    struct fth_job_use *uses = fth_new((size_t)workflow->job_count + 1, sizeof *uses);
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        const struct fth_workflow_step *step = &workflow->steps[i];
        if (facts->graph.job[i] == FTH_NO_STEP)
            continue;
        struct fth_job_use *use = &uses[facts->graph.job[i]];
        bool first = !use->end;
        use->start = first || step->start < use->start ? step->start : use->start;
        use->end = step->end > use->end ? step->end : use->end;
        use->steps += !step->is_script;
        if (step->is_script)
            continue;
        FTH_ADD_SATURATING(use->busy, step->io);
        FTH_ADD_SATURATING(use->busy, step->messages);
        FTH_ADD_SATURATING(use->busy, fth_saturating_sum(step->own, step->other));
    }
    return uses;
}

static void put_since(struct fth_table *table, size_t row, size_t column, int64_t from, int64_t to)
{
    if (from != FTH_NEVER && to != FTH_NEVER)
        fth_table_set(table, row, column, fth_cell_integer(to - from));
}

static void put_if(struct fth_table *table, size_t row, size_t column, uint64_t value)
{
    if (value)
        fth_table_set(table, row, column, fth_cell_integer((int64_t)value));
}

static void put_job(struct fth_table *table, const struct fth_workflow_facts *facts,
                    const struct fth_workflow_job *job, const struct fth_job_use *use)
{
    size_t row = fth_table_add_row(table);
    bool lasted = job->start != FTH_NEVER && job->end != FTH_NEVER && job->end > job->start;
    int64_t busy = job->used_time ? job->used_time : use->busy;
    fth_table_set(table, row, J_JOB, fth_cell_text(job->number));
    fth_table_set(table, row, J_NAME, fth_cell_text(job->name));
    fth_table_set(table, row, J_STATE, fth_cell_text(*job->state ? job->state : "not known"));
    if (*job->needs)
        fth_table_set(table, row, J_NEEDS, fth_cell_text(job->needs));
    put_since(table, row, J_SUBMIT, facts->schedule.start, job->submit);
    put_since(table, row, J_QUEUED, job->submit, job->start);
    put_since(table, row, J_START, facts->schedule.start, job->start);
    put_since(table, row, J_LENGTH, job->start, job->end);
    put_if(table, row, J_LIMIT, (uint64_t)job->limit);
    put_if(table, row, J_PROCESSORS, job->processors);
    put_if(table, row, J_MEMORY, job->memory);
    put_if(table, row, J_USED_MEMORY, job->used_memory);
    fth_table_set(table, row, J_STEPS, fth_cell_integer((int64_t)use->steps));
    if (lasted && (use->steps || job->used_time))
        fth_table_set(table, row, J_BUSY,
                      fth_cell_real((double)busy / (double)(job->end - job->start)));
}

struct fth_table *fth_workflow_job_table(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow *workflow = facts->workflow;
    struct fth_table *table = fth_table_new(&shape);
    if (!table)
        fth_out_of_memory();
    struct fth_job_use *uses = fth_job_uses(facts);
    for (uint32_t i = 0; i < workflow->job_count; i++)
        if (facts->graph.job_meant[i])
            put_job(table, facts, &workflow->jobs[i], &uses[i]);
    free(uses);
    return table;
}
