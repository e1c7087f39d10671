/* From the verdicts of the models to that of the run: the weakest model that is enough, and whether
 * there was anything to judge. */
#include "verify/report/weakest.h"

#include <string.h>

/* How many models of those asked for are stronger, one after the other. */
static size_t rung(const struct fth_consistencies *models, const struct fth_consistency *model)
{
    size_t steps = 0;
    while (model && model->weaker && steps < models->count) {
        model = fth_consistency_find(models, model->weaker);
        steps++;
    }
    return steps;
}

static bool is_on_ladder(const struct fth_consistencies *models,
                         const struct fth_consistency *model)
{
    for (size_t i = 0; i < models->count; i++)
        if (model->weaker ||
            (models->models[i].weaker && strcmp(models->models[i].weaker, model->name) == 0))
            return true;
    return false;
}

/* Launchers that found nothing to start leave no program. */
static void find_nothing(struct fth_verdict *verdict)
{
    const struct fth_runs *runs = verdict->runs;
    verdict->no_program = verdict->no_calls = true;
    for (uint32_t proc = 0; proc < runs->process_count; proc++) {
        const struct fth_process *process = fth_runs_process(runs, proc);
        verdict->no_program &= process->launcher;
        verdict->no_calls &= process->launcher || !process->calls;
    }
    verdict->no_calls &= !verdict->no_program;
}

/* The model compares accesses of which the place may depend on a race. */
static void take_races(const struct fth_verdict *verdict, struct fth_verdict_model *model)
{
    model->racing_places = verdict->placed_file_count;
    if (verdict->unrecorded_places)
        model->unrecorded_threads = verdict->unrecorded_places;
    for (size_t i = 0; i < verdict->position_race_count; i++) {
        const struct fth_verdict_position_race *race = &verdict->position_races[i];
        model->racing_positions |= !race->unrecorded;
        if (race->unrecorded)
            model->unrecorded_threads = race->unrecorded;
    }
}

static void find_accesses(struct fth_verdict *verdict, const struct fth_weakest_of *of)
{
    unsigned layers = 0;
    for (size_t i = 0; i < of->accesses->situation_count; i++)
        layers |= 1u << of->accesses->situations[i].layer;
    bool has_ladder = false, on_ladder = false, on_none = false;
    for (size_t i = 0; i < verdict->model_count; i++) {
        struct fth_verdict_model *model = &verdict->models[i];
        bool is_on_one = is_on_ladder(of->models, model->model);
        model->has_accesses = of->model_layers[i] & layers;
        if (of->model_layers[i] & layers & ~of->together)
            take_races(verdict, model);
        has_ladder |= is_on_one;
        on_ladder |= is_on_one && model->has_accesses;
        on_none |= !is_on_one && model->has_accesses;
    }
    verdict->libraries_only = has_ladder && on_none && !on_ladder;
}

static void find_weakest(struct fth_verdict *verdict, const struct fth_consistencies *models)
{
    size_t lowest = 0;
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_consistency *model = verdict->models[i].model;
        verdict->models[i].is_on_ladder = is_on_ladder(models, model);
        if (!verdict->models[i].is_on_ladder)
            continue;
        size_t steps = verdict->models[i].rung = rung(models, model);
        enum fth_safety safety = fth_verdict_safety(&verdict->models[i]);
        if (steps == 0) {
            verdict->racy |= safety == FTH_RACY;
            verdict->unknown |= safety == FTH_SAFETY_UNKNOWN;
        }
        if (safety <= FTH_SAFE_AS_SEEN && (!verdict->weakest || steps > lowest)) {
            verdict->weakest = model;
            lowest = steps;
        }
    }
    verdict->unknown |= (verdict->no_program || verdict->no_calls) && !verdict->racy;
    if (verdict->racy || verdict->unknown || verdict->libraries_only)
        verdict->weakest = NULL;
}

void fth_weakest_find(struct fth_verdict *verdict, const struct fth_weakest_of *of)
{
    find_nothing(verdict);
    find_accesses(verdict, of);
    find_weakest(verdict, of->models);
}

enum fth_safety fth_verdict_of_system(const struct fth_verdict_model *model, const char *system)
{
    enum fth_safety safety = fth_verdict_safety(model);
    for (size_t i = 0; i < model->model->alone_count; i++) {
        const struct fth_alone *rule = &model->model->alone[i];
        const struct fth_verdict_alone *alone = &model->alone[i];
        enum fth_safety own = alone->violations ? FTH_RACY
                              : alone->unsure   ? FTH_SAFETY_UNKNOWN
                                                : FTH_SAFE;
        for (size_t k = 0; k < rule->system_count && own > safety; k++)
            if (strcmp(rule->systems[k], system) == 0)
                safety = own;
    }
    return safety;
}

/* What is known of the calls of libraries; not of file systems. */
static enum fth_safety of_libraries(const struct fth_verdict *verdict)
{
    enum fth_safety worst = FTH_SAFE_AS_SEEN;
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        if (model->has_accesses && fth_verdict_safety(model) > worst)
            worst = fth_verdict_safety(model);
    }
    return worst;
}

enum fth_safety fth_verdict_of_run(const struct fth_verdict *verdict)
{
    bool nothing = verdict->no_program || verdict->no_calls;
    if (verdict->model_count == 1 && !nothing)
        return verdict->models[0].has_accesses ? fth_verdict_safety(&verdict->models[0])
                                               : FTH_SAFETY_UNKNOWN;
    if (verdict->racy)
        return FTH_RACY;
    if (verdict->unknown || nothing)
        return FTH_SAFETY_UNKNOWN;
    if (verdict->libraries_only)
        return of_libraries(verdict);
    for (size_t i = 0; i < verdict->model_count; i++)
        if (verdict->models[i].is_on_ladder &&
            (verdict->models[i].partly_seen || verdict->models[i].unrecorded_threads))
            return FTH_SAFE_AS_SEEN;
    return FTH_SAFE;
}
