/* Simulations of <fathom/sim.h>. What came of one is taken out of the simulated world, which is
 * gone then. */
#include "sim/library/sim_objects.h"

#include "base/memory.h"
#include "sim/record/record.h"
#include "sim/replay/replay.h"
#include "sim/results/resources.h"
#include "sim/run/run.h"
#include "trace/file/container.h"
#include "trace/record/builtin.h"

#include <pthread.h>
#include <string.h>

struct process {
    int64_t end;
    char *wait; /* NULL: it came to its end */
};

struct fth_simulation {
    struct fth_simulation_sums sums;
    struct process *processes;
    char *waits;
    struct fth_component *components;
    size_t component_count, busiest; /* busiest: its index + 1 */
    struct fth_arena names;
};

/* ---- taking it out ---- */

static void take_processes(struct fth_simulation *simulation, const struct fth_sim_world *world,
                           uint32_t ranks)
{
    char text[1024];
    struct fth_simulation_sums *sums = &simulation->sums;
    simulation->processes = fth_new(ranks, sizeof *simulation->processes);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        struct process *process = &simulation->processes[rank];
        process->end = fth_sim_world_end(world, rank, text, 256);
        if (process->end < 0)
            process->wait = strcpy(fth_new(strlen(text) + 1, 1), text);
    }
    if (!sums->unfinished)
        return;
    fth_sim_world_describe_waits(world, text, sizeof text);
    simulation->waits = strcpy(fth_new(strlen(text) + 1, 1), text);
}

static void add_component(void *context, const struct fth_sim_resource *resource)
{
    static const enum fth_component_kind kinds[] = {
        [FTH_SIM_PROCESSORS] = FTH_COMPONENT_PROCESSORS,
        [FTH_SIM_NETWORK] = FTH_COMPONENT_NETWORK,
        [FTH_SIM_DISK] = FTH_COMPONENT_DISK,
    };
    struct fth_simulation *simulation = context;
    size_t count = simulation->component_count, size = strlen(resource->name) + 1;
    /* Parts of a network that are alike follow one another. */
    const char *name = count ? simulation->components[count - 1].name : NULL;
    if (!name || strcmp(name, resource->name))
        name = memcpy(fth_arena_take(&simulation->names, size), resource->name, size);
    FTH_GROW(simulation->components, count);
    simulation->components[count] =
        (struct fth_component){.name = name,
                               .kind = kinds[resource->kind],
                               .busy = resource->busy,
                               .operations = resource->operations,
                               .bytes = resource->bytes,
                               .queue = resource->queue,
                               .longest_queue = resource->longest_queue};
    if (resource->busy && (!simulation->busiest ||
                           resource->busy > simulation->components[simulation->busiest - 1].busy))
        simulation->busiest = count + 1;
    simulation->component_count++;
}

static struct fth_simulation *take(const struct fth_sim_world *world, uint32_t ranks)
{
    struct fth_simulation *simulation = fth_new(1, sizeof *simulation);
    struct fth_simulation_sums *sums = &simulation->sums;
    sums->time = fth_sim_world_time(world);
    sums->ranks = ranks;
    sums->events = fth_sim_world_events(world);
    sums->end = fth_sim_world_last_end(world, &sums->unfinished);
    sums->messages = fth_sim_world_messages(world, &sums->message_bytes);
    take_processes(simulation, world, ranks);
    fth_sim_each_resource(world, add_component, simulation);
    return simulation;
}

/* ---- simulating ---- */

/* The catalogue that all traces are written with is made when somebody wants it first, and never
 * changes then. */
static void make_catalog(void)
{
    fth_builtin_catalog();
}

static struct fth_sim_recorder *record(struct fth_sim_world *world,
                                       const struct fth_sim_program *program)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_catalog);
    return fth_sim_recorder_new(world, program);
}

static struct fth_simulation *run(const struct fth_cluster *cluster,
                                  struct fth_sim_program *program, const char *name,
                                  const char *trace, struct fth_error **error)
{
    struct fth_sim_world *world = fth_sim_world_new(&cluster->cluster, program, error);
    if (!world)
        return NULL;
    struct fth_sim_recorder *recorder = trace ? record(world, program) : NULL;
    fth_sim_world_run(world);
    struct fth_simulation *simulation = take(world, program->ranks);
    if (recorder && fth_sim_recorder_write(recorder, trace, name, error)) {
        fth_simulation_free(simulation);
        simulation = NULL;
    }
    fth_sim_recorder_free(recorder);
    fth_sim_world_free(world);
    return simulation;
}

static struct fth_simulation *replay(const struct fth_cluster *cluster, const char *path,
                                     const char *trace, struct fth_error **error)
{
    struct fth_sim_program *program =
        fth_sim_replay_open(path, &(struct fth_sim_replay_options){0}, error);
    if (!program)
        return NULL;
    struct fth_simulation *simulation = run(cluster, program, path, trace, error);
    if (simulation && fth_sim_replay_check(program, error)) {
        fth_simulation_free(simulation);
        simulation = NULL;
    }
    fth_sim_replay_free(program);
    return simulation;
}

static struct fth_simulation *simulate(const struct fth_cluster *cluster,
                                       const struct fth_program *program, const char *trace,
                                       struct fth_error **error)
{
    if (program->source == FTH_PROGRAM_TRACE)
        return replay(cluster, program->path, trace, error);
    if (program->source == FTH_PROGRAM_BUILT && fth_sim_built_check(program->program, error))
        return NULL;
    return run(cluster, program->program, program->path ? program->path : "program", trace, error);
}

struct fth_simulation *fth_simulate(const struct fth_cluster *cluster,
                                    const struct fth_program *program, const char *trace,
                                    struct fth_error **error)
{
    jmp_buf escape;
    if (fth_sim_guard(&escape, setjmp(escape), error))
        return NULL;
    struct fth_simulation *simulation = simulate(cluster, program, trace, error);
    fth_sim_unguard();
    return simulation;
}

void fth_simulation_free(struct fth_simulation *simulation)
{
    if (!simulation)
        return;
    for (uint32_t rank = 0; rank < simulation->sums.ranks; rank++)
        free(simulation->processes[rank].wait);
    free(simulation->processes);
    free(simulation->waits);
    free(simulation->components);
    fth_arena_free(&simulation->names);
    free(simulation);
}

/* ---- what came of it ---- */

const struct fth_simulation_sums *fth_simulation_sums(const struct fth_simulation *simulation)
{
    return &simulation->sums;
}

int64_t fth_simulation_end(const struct fth_simulation *simulation, uint32_t rank)
{
    return rank < simulation->sums.ranks ? simulation->processes[rank].end : -1;
}

const char *fth_simulation_wait(const struct fth_simulation *simulation, uint32_t rank)
{
    return rank < simulation->sums.ranks ? simulation->processes[rank].wait : NULL;
}

const char *fth_simulation_waits(const struct fth_simulation *simulation)
{
    return simulation->waits;
}

size_t fth_simulation_component_count(const struct fth_simulation *simulation)
{
    return simulation->component_count;
}

const struct fth_component *fth_simulation_component(const struct fth_simulation *simulation,
                                                     size_t index)
{
    return index < simulation->component_count ? &simulation->components[index] : NULL;
}

const struct fth_component *fth_simulation_busiest(const struct fth_simulation *simulation)
{
    return simulation->busiest ? &simulation->components[simulation->busiest - 1] : NULL;
}
