/* One run of the simulator for each cluster and change: programs of all steps together, with the
 * order of the graph. */
#include "workflow/simulated/simulated_workflow.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "sim/plan/programs_together.h"
#include "sim/replay/replay.h"
#include "sim/run/limits.h"
#include "workflow/simulated/step_order.h"

#include <string.h>

/* Each program has a communicator of all processes of the run, with so many bytes for each. */
enum { BYTES_OF_RANK = 12 };
static const uint64_t most_memory = 1 << 30;

/* ---- one run ---- */

static struct fth_sim_contender *contenders_of(const struct fth_step_programs *programs,
                                               const struct fth_step_order *order,
                                               enum fth_simulated_change change, size_t *count)
{
    struct fth_sim_contender *list = fth_new((size_t)order->order.group_count + 1, sizeof *list);
    *count = 0;
    for (uint32_t i = 0; i < order->order.group_count; i++) {
        const struct fth_step_program *step = &programs->list[order->steps[i]];
        if (step->program)
            list[(*count)++] = (struct fth_sim_contender){
                .program = step->program,
                .files = step->files,
                .skipped = change == FTH_SIMULATED_PASSING_FREE ? step->passing : NULL};
    }
    return list;
}

static int check_size(const struct fth_sim_contender *list, size_t count, struct fth_error **error)
{
    uint64_t ranks = 0, communicators = 0;
    for (size_t i = 0; i < count; i++) {
        ranks += list[i].program->ranks;
        communicators += list[i].program->communicator_count + 1;
    }
    if (ranks * communicators <= most_memory / BYTES_OF_RANK)
        return 0;
    return fth_fail(error, "%s with %s are more than one run of the simulator takes here",
                    fth_phrase_several(count, "step", "steps").text,
                    fth_phrase_several(ranks, "process", "processes").text);
}

static int wait_forever(const struct fth_sim_world *world, const struct fth_step_order *order,
                        uint32_t group, struct fth_error **error)
{
    char text[256];
    for (uint32_t rank = order->first_process[group]; rank < order->first_process[group + 1];
         rank++)
        if (fth_sim_world_end(world, rank, text, sizeof text) < 0)
            return fth_fail(error, "a process of step %u waits forever: %s", order->steps[group],
                            text);
    return fth_fail(error, "step %u waits forever", order->steps[group]);
}

/* What of the workflow went on behind the end of its last step: the script. */
static int64_t behind_last(const struct fth_workflow *workflow)
{
    int64_t end = INT64_MIN, of_steps = INT64_MIN;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        const struct fth_workflow_step *step = &workflow->steps[i];
        end = step->end > end ? step->end : end;
        if (!step->is_script)
            of_steps = step->end > of_steps ? step->end : of_steps;
    }
    return end - of_steps;
}

/* What of the workflow went by before its first step. */
static int64_t before_first(const struct fth_workflow *workflow, int64_t first)
{
    int64_t start = first;
    for (uint32_t i = 0; i < workflow->step_count; i++)
        start = workflow->steps[i].start < start ? workflow->steps[i].start : start;
    return first - start;
}

static int note_times(const struct fth_step_programs *programs, const struct fth_sim_world *world,
                      const struct fth_step_order *order, enum fth_simulated_change change,
                      struct fth_simulated_run *run, struct fth_error **error)
{
    const struct fth_workflow *workflow = programs->graph->workflow;
    bool by_data = change == FTH_SIMULATED_BY_DATA;
    int64_t shift = by_data ? 0 : before_first(workflow, order->start), last = 0;
    run->steps = fth_new((size_t)workflow->step_count + 1, sizeof *run->steps);
    for (uint32_t i = 0; i < workflow->step_count; i++)
        run->steps[i] = (struct fth_simulated_step){-1, -1, FTH_NO_STEP, false, false};
    for (uint32_t i = 0; i < order->order.group_count; i++) {
        struct fth_sim_group_times times = fth_sim_world_group(world, i);
        uint32_t number = order->steps[i];
        const struct fth_step_program *program = &programs->list[number];
        struct fth_simulated_step *step = &run->steps[number];
        if (times.ended < 0)
            return wait_forever(world, order, i, error);
        step->start = shift + times.begun - program->lead;
        step->end = shift + times.ended + program->tail;
        step->is_held = times.held < order->order.edge_count;
        uint32_t edge = step->is_held ? times.held : times.behind;
        if (edge < order->order.edge_count) {
            step->behind = order->steps[order->edges[edge].from];
            step->waits_for_end = order->edges[edge].kind != FTH_SIM_BEHIND_BEGIN;
        }
        if (step->end >= last) {
            last = step->end;
            run->last = number;
        }
    }
    run->length = last + (by_data ? 0 : behind_last(workflow));
    return 0;
}

static int check_programs(const struct fth_step_programs *programs, struct fth_error **error)
{
    for (uint32_t i = 0; i < programs->graph->workflow->step_count; i++)
        if (programs->list[i].program && fth_sim_replay_check(programs->list[i].program, error))
            return fth_fail_in(error, "step %u", i);
    return 0;
}

static int run_on(const struct fth_sim_cluster *cluster, const struct fth_step_programs *programs,
                  enum fth_simulated_change change, uint64_t most_events,
                  struct fth_simulated_run *run, struct fth_error **error)
{
    const struct fth_sim_limits limits = {.most_events = most_events, .shows_progress = true};
    struct fth_step_order order;
    size_t count;
    fth_step_order_make(&order, programs, change == FTH_SIMULATED_BY_DATA);
    struct fth_sim_contender *list = contenders_of(programs, &order, change, &count);
    struct fth_sim_program *together =
        check_size(list, count, error) ? NULL : fth_sim_together_new(list, count, error);
    struct fth_sim_world *world = NULL;
    if (together) {
        together->order = &order.order;
        world = fth_sim_world_new(cluster, together, error);
    }
    int result = world ? fth_sim_run_within(world, &limits, error) : -1;
    if (!result)
        result = check_programs(programs, error);
    if (!result)
        result = note_times(programs, world, &order, change, run, error);
    fth_sim_world_free(world);
    fth_sim_together_free(together);
    fth_step_order_free(&order);
    free(list);
    return result;
}

/* ---- all of them ---- */

static void note_steps(struct fth_simulated_workflow *simulated,
                       const struct fth_step_programs *programs)
{
    const struct fth_workflow *workflow = programs->graph->workflow;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        const struct fth_workflow_step *step = &workflow->steps[i];
        const struct fth_step_program *program = &programs->list[i];
        simulated->steps += !step->is_script;
        simulated->simulated += program->program != NULL;
        simulated->several += program->program && step->processes > 1 && !step->ranks;
        if (program->why)
            simulated->why[i] = fth_text_copy(program->why);
    }
}

static void note_losses(struct fth_simulated_workflow *simulated,
                        const struct fth_step_programs *programs)
{
    struct fth_sim_loss loss;
    for (uint32_t i = 0; i < programs->graph->workflow->step_count; i++)
        for (size_t k = 0;
             programs->list[i].program && fth_sim_replay_loss(programs->list[i].program, k, &loss);
             k++)
            simulated->lost += loss.calls;
}

static bool makes_sense(const struct fth_workflow_graph *graph, enum fth_simulated_change change)
{
    bool passing = false;
    for (uint32_t i = 0; i < graph->content_count; i++)
        passing |= fth_workflow_is_passing(&graph->contents[i]);
    return change == FTH_SIMULATED_AS_RECORDED ||
           (change == FTH_SIMULATED_PASSING_FREE ? passing : !graph->workflow->incomplete);
}

/* Why it has no time is noted; the programs are used up. */
static void simulate_on(struct fth_simulated_workflow *simulated,
                        struct fth_simulated_cluster *into, const struct fth_sim_cluster *cluster,
                        struct fth_step_programs *programs, uint64_t most_events)
{
    for (enum fth_simulated_change change = 0; change < FTH_SIMULATED_CHANGES && !into->why;
         change++) {
        struct fth_error *error = NULL;
        if (!makes_sense(programs->graph, change))
            continue;
        uint32_t count = fth_step_programs_open(programs);
        if (!simulated->steps)
            note_steps(simulated, programs);
        if (!count)
            into->why = fth_text_copy("there is no step whose calls can be simulated");
        else if (run_on(cluster, programs, change, most_events, &into->runs[change], &error))
            into->why = fth_text_copy(fth_error_text(error));
        else if (!simulated->lost)
            note_losses(simulated, programs);
        fth_error_free(error);
        fth_step_programs_close(programs);
    }
}

int fth_workflow_simulate(struct fth_simulated_workflow *simulated,
                          const struct fth_workflow_graph *graph, const char *const *paths,
                          const char *const *given, uint32_t count, uint64_t most_events,
                          struct fth_error **error)
{
    struct fth_step_programs programs;
    int result = 0;
    *simulated = (struct fth_simulated_workflow){
        .cluster_count = count,
        .clusters = fth_new((size_t)count + 1, sizeof *simulated->clusters),
        .why = fth_new((size_t)graph->workflow->step_count + 1, sizeof *simulated->why)};
    fth_step_programs_begin(&programs, graph);
    for (uint32_t i = 0; i < count && !result; i++) {
        struct fth_simulated_cluster *into = &simulated->clusters[i];
        struct fth_sim_cluster cluster;
        for (size_t k = 0; k < FTH_SIMULATED_CHANGES; k++)
            into->runs[k].length = -1;
        result = fth_sim_cluster_read(&cluster, paths[i], error);
        if (result)
            break;
        into->given = fth_text_copy(given[i]);
        into->name = fth_text_copy(cluster.name);
        simulate_on(simulated, into, &cluster, &programs, most_events);
        fth_sim_cluster_free(&cluster);
    }
    simulated->step_count = graph->workflow->step_count;
    fth_step_programs_free(&programs);
    return result;
}

void fth_simulated_workflow_free(struct fth_simulated_workflow *simulated)
{
    for (uint32_t i = 0; i < simulated->cluster_count; i++) {
        struct fth_simulated_cluster *cluster = &simulated->clusters[i];
        for (size_t k = 0; k < FTH_SIMULATED_CHANGES; k++)
            free(cluster->runs[k].steps);
        free(cluster->given);
        free(cluster->name);
        free(cluster->why);
    }
    for (uint32_t i = 0; i < simulated->step_count; i++)
        free(simulated->why[i]);
    free(simulated->clusters);
    free(simulated->why);
    *simulated = (struct fth_simulated_workflow){0};
}
