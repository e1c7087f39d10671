#include "workflow/tell/simulated_tables.h"

#include "base/memory.h"
#include "base/phrase.h"

static const char *const changes[FTH_SIMULATED_CHANGES] = {
    [FTH_SIMULATED_AS_RECORDED] = "steps start in the recorded order",
    [FTH_SIMULATED_PASSING_FREE] =
        "so, and files that are written, read once and deleted cost nothing",
    [FTH_SIMULATED_BY_DATA] = "only data ordered its steps, with no time between them",
};

static int64_t recorded_length(const struct fth_workflow_facts *facts)
{
    return facts->schedule.end - facts->schedule.start;
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* ---- the whole workflow ---- */

enum column { W_CLUSTER, W_CHANGE, W_LENGTH, W_SHARE };
static const struct fth_column columns[] = {
    {"cluster", "on", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"change", "if", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"duration", "it would take", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "of the recorded time", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {
    "simulated",
    "What the workflow would take on clusters, by simulation of its I/O; its steps compute as long "
    "as they did",
    columns, sizeof columns / sizeof *columns, 0};

static struct fth_table *whole_table(const struct fth_workflow_facts *facts)
{
    const struct fth_simulated_workflow *simulated = facts->simulated;
    struct fth_table *table = fth_table_new(&shape);
    for (uint32_t i = 0; i < simulated->cluster_count; i++) {
        const struct fth_simulated_cluster *cluster = &simulated->clusters[i];
        for (size_t change = 0; change < FTH_SIMULATED_CHANGES; change++) {
            int64_t length = cluster->runs[change].length;
            if (length < 0)
                continue;
            size_t row = fth_table_add_row(table);
            fth_table_set(table, row, W_CLUSTER, fth_cell_text(cluster->given));
            fth_table_set(table, row, W_CHANGE, fth_cell_text(changes[change]));
            fth_table_set(table, row, W_LENGTH, fth_cell_integer(length));
            fth_table_set(table, row, W_SHARE,
                          fth_cell_real(percent(length, recorded_length(facts))));
        }
    }
    return table;
}

/* ---- its critical path ---- */

enum path_column { P_CLUSTER, P_STEP, P_COMMAND, P_WAITED, P_FROM, P_HELD, P_SHARE };
static const struct fth_column path_columns[] = {
    {"cluster", "on", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"step", "step", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"command", "command", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"waited", "no step ran", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"start", "from", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"held", "would hold the end for", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape path_shape = {
    "simulated_path", "Critical path there, in the recorded order", path_columns,
    sizeof path_columns / sizeof *path_columns, 0};

/* Steps of the path, the last one first; to be freed. It ends where it would come to a step again:
 * steps may wait for the start of one that waits for their end. */
static uint32_t *path_of(const struct fth_simulated_run *run, uint32_t steps, uint32_t *count)
{
    uint32_t *path = NULL;
    bool *seen = fth_new((size_t)steps + 1, sizeof *seen);
    *count = 0;
    for (uint32_t step = run->last; step != FTH_NO_STEP && !seen[step];
         step = run->steps[step].behind) {
        FTH_GROW(path, *count);
        path[(*count)++] = step;
        seen[step] = true;
    }
    free(seen);
    return path;
}

static void put_part(struct fth_table *table, const struct fth_workflow_facts *facts,
                     const struct fth_simulated_cluster *cluster, uint32_t number, int64_t to)
{
    const struct fth_simulated_run *run = &cluster->runs[FTH_SIMULATED_AS_RECORDED];
    const struct fth_simulated_step *step = &run->steps[number];
    size_t row = fth_table_add_row(table);
    int64_t before = step->behind != FTH_NO_STEP && step->waits_for_end
                         ? run->steps[step->behind].end
                         : step->start,
            waited = step->start - before, from = before > step->start ? before : step->start;
    to = to > from ? to : from;
    fth_table_set(table, row, P_CLUSTER, fth_cell_text(cluster->given));
    fth_table_set(table, row, P_STEP, fth_cell_integer(number));
    fth_table_set(table, row, P_COMMAND, fth_cell_text(facts->workflow->steps[number].command));
    fth_table_set(table, row, P_WAITED, fth_cell_integer(waited > 0 ? waited : 0));
    fth_table_set(table, row, P_FROM, fth_cell_integer(from));
    fth_table_set(table, row, P_HELD, fth_cell_integer(to - from));
    fth_table_set(table, row, P_SHARE, fth_cell_real(percent(to - from, run->length)));
}

static struct fth_table *path_table(const struct fth_workflow_facts *facts)
{
    struct fth_table *table = fth_table_new(&path_shape);
    for (uint32_t i = 0; i < facts->simulated->cluster_count; i++) {
        const struct fth_simulated_cluster *cluster = &facts->simulated->clusters[i];
        const struct fth_simulated_run *run = &cluster->runs[FTH_SIMULATED_AS_RECORDED];
        uint32_t count = 0, *path = run->length >= 0
                                        ? path_of(run, facts->workflow->step_count, &count)
                                        : NULL;
        for (uint32_t k = count; k-- > 0;) {
            const struct fth_simulated_step *step = &run->steps[path[k]];
            /* One that the next did not wait for to end held it until that started. */
            bool cut = k && !run->steps[path[k - 1]].waits_for_end;
            put_part(table, facts, cluster, path[k],
                     cut ? run->steps[path[k - 1]].start : step->end);
        }
        free(path);
    }
    return table;
}

/* ---- each step ---- */

enum step_column { S_CLUSTER, S_STEP, S_COMMAND, S_RECORDED, S_START, S_LENGTH, S_WHY };
static const struct fth_column step_columns[] = {
    {"cluster", "on", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"step", "step", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"command", "command", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"recorded", "lasted", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"start", "would start", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"duration", "would take", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"why", "is not known, because", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape step_shape = {"simulated_steps", "Steps there, in the recorded order",
                                            step_columns,
                                            sizeof step_columns / sizeof *step_columns, 0};

static struct fth_table *step_table(const struct fth_workflow_facts *facts)
{
    const struct fth_simulated_workflow *simulated = facts->simulated;
    const struct fth_workflow *workflow = facts->workflow;
    struct fth_table *table = fth_table_new(&step_shape);
    for (uint32_t i = 0; i < simulated->cluster_count; i++) {
        const struct fth_simulated_cluster *cluster = &simulated->clusters[i];
        const struct fth_simulated_run *run = &cluster->runs[FTH_SIMULATED_AS_RECORDED];
        for (uint32_t k = 0; run->length >= 0 && k < workflow->step_count; k++) {
            const struct fth_workflow_step *step = &workflow->steps[k];
            const struct fth_simulated_step *there = &run->steps[k];
            if (step->is_script)
                continue;
            size_t row = fth_table_add_row(table);
            fth_table_set(table, row, S_CLUSTER, fth_cell_text(cluster->given));
            fth_table_set(table, row, S_STEP, fth_cell_integer(k));
            fth_table_set(table, row, S_COMMAND, fth_cell_text(step->command));
            fth_table_set(table, row, S_RECORDED, fth_cell_integer(step->end - step->start));
            fth_table_set(table, row, S_START, fth_cell_integer(there->start));
            if (!simulated->why[k])
                fth_table_set(table, row, S_LENGTH, fth_cell_integer(there->end - there->start));
            fth_table_set(table, row, S_WHY, fth_cell_text(simulated->why[k]));
        }
    }
    return table;
}

void fth_workflow_simulated_tables(const struct fth_workflow_facts *facts,
                                   struct fth_results *results)
{
    if (!facts->simulated)
        return;
    fth_results_add(results, whole_table(facts));
    fth_results_add(results, path_table(facts));
    fth_results_add(results, step_table(facts));
}

/* ---- sentences ---- */

static void note_unknown_steps(struct fth_workflow *workflow,
                               const struct fth_simulated_workflow *simulated)
{
    uint32_t count = 0, example = 0;
    for (uint32_t i = 0; i < workflow->step_count; i++)
        if (simulated->why[i] && !count++)
            example = i;
    if (count)
        fth_workflow_note(workflow,
                          "how long %u of %u steps would take on another cluster: they are taken "
                          "to be as long as they were, for example step %u ('%.60s'): %s",
                          count, simulated->steps, example, workflow->steps[example].command,
                          simulated->why[example]);
}

void fth_workflow_note_simulated(struct fth_workflow *workflow,
                                 const struct fth_simulated_workflow *simulated)
{
    for (uint32_t i = 0; i < simulated->cluster_count; i++)
        if (simulated->clusters[i].why)
            fth_workflow_note(workflow, "all of what the workflow would take on %s: %s",
                              simulated->clusters[i].given, simulated->clusters[i].why);
    note_unknown_steps(workflow, simulated);
    if (simulated->lost)
        fth_workflow_note(workflow,
                          "what %s of simulated steps would take on another cluster: which bytes "
                          "they accessed is not known, or they used a pipe, so they are simulated "
                          "as computation",
                          fth_phrase_several(simulated->lost, "call", "calls").text);
    if (simulated->several)
        fth_workflow_note(workflow,
                          "how long processes of %s would wait for each other on another cluster: "
                          "they start as long behind the start of their step as they did, and wait "
                          "as long",
                          fth_phrase_several(simulated->several, "step", "steps").text);
}

char *fth_workflow_passing_gain(const struct fth_workflow_facts *facts)
{
    for (uint32_t i = 0; facts->simulated && i < facts->simulated->cluster_count; i++) {
        const struct fth_simulated_cluster *cluster = &facts->simulated->clusters[i];
        int64_t as_is = cluster->runs[FTH_SIMULATED_AS_RECORDED].length,
                without = cluster->runs[FTH_SIMULATED_PASSING_FREE].length;
        if (as_is >= 0 && without >= 0)
            return fth_text_format("On %s, by simulation, they cost %s of the %s that the workflow "
                                   "would take there: that is what can be saved at most.",
                                   cluster->given,
                                   fth_phrase_duration(as_is > without ? as_is - without : 0).text,
                                   fth_phrase_duration(as_is).text);
    }
    return NULL;
}
