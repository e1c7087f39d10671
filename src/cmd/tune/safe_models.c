/* On which consistency of our file system the recorded program may run: what `fathom verify` calls
 * safe, without any doubt. Models that the file system does not tell apart are one. */
#include "cmd/tune/safe_models.h"

#include "base/memory.h"
#include "cmd/fs/fs_model.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

/* ---- whether it may be tried at all ---- */

static bool has_several_nodes(const struct fth_trace *trace)
{
    const char *first = NULL;
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        const char *host = fth_trace_process(trace, i)->host;
        if (first && host && strcmp(first, host) != 0)
            return true;
        first = host ? host : first;
    }
    return false;
}

static bool is_not_installed(void)
{
    struct fth_error *error = NULL;
    char *preload = NULL;
    bool missing = fth_cmd_fs_preload(&preload, &error) != 0;
    free(preload);
    fth_error_free(error);
    return missing;
}

static const char *why_not(const struct fth_cmd_tuning *tuning, const struct fth_trace *trace)
{
    const struct fth_tune_run *run = &tuning->run;
    if (!run->folder)
        return run->no_folder;
    if ((double)run->own_time < FTH_TUNE_LEAST_SHARE * (double)run->whole)
        return "calls on the files of the program take less than a hundredth of the time";
    if (has_several_nodes(trace))
        return "it works on one node, and the run had several";
    return is_not_installed() ? "it is not installed beside this program" : NULL;
}

/* ---- what the verdict says ---- */

/* Of shared maps nothing is seen, and the file system has none. */
static const char *why_none_is_safe(const struct fth_verdict *verdict)
{
    if (verdict->no_program || verdict->no_calls || verdict->libraries_only)
        return "fathom verify has nothing to judge";
    if (verdict->mapped)
        return "the program writes to files through shared maps of memory";
    switch (fth_verdict_of_run(verdict)) {
    case FTH_SAFE:
        return NULL;
    case FTH_RACY:
        return "fathom verify calls the run racy, under any consistency";
    case FTH_SAFE_AS_SEEN:
        return "part of the run was not recorded, so nobody knows which consistency it needs";
    case FTH_SAFETY_UNKNOWN:
        break;
    }
    return "fathom verify does not know which consistency the run needs";
}

static bool is_alike(const char *one, const char *other)
{
    struct fth_moments a, b;
    struct fth_error *error = NULL;
    bool alike = fth_cmd_fs_moments(one, &a, &error) || fth_cmd_fs_moments(other, &b, &error) ||
                 (a.publishes == b.publishes && a.fetches == b.fetches);
    fth_error_free(error);
    return alike;
}

/* The last one that was added comes first: models come from the strongest to the weakest. */
static void add(struct fth_cmd_tuning *tuning, const char *name)
{
    size_t count = tuning->model_count;
    for (size_t i = 0; i < count; i++)
        if (is_alike(tuning->models[i], name))
            return;
    tuning->models = fth_resize(tuning->models, count + 2, sizeof *tuning->models);
    memmove(tuning->models + 1, tuning->models, count * sizeof *tuning->models);
    tuning->models[0] = fth_text_copy(name);
    tuning->models[++tuning->model_count] = NULL;
}

static void take_verdict(struct fth_cmd_tuning *tuning, const struct fth_verdict *verdict)
{
    tuning->no_models = why_none_is_safe(verdict);
    if (tuning->no_models)
        return;
    if (verdict->weakest)
        tuning->weakest = fth_text_copy(verdict->weakest->name);
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        if (model->is_on_ladder && model->has_accesses && fth_verdict_safety(model) == FTH_SAFE)
            add(tuning, model->model->name);
    }
    tuning->run.models = (const char *const *)tuning->models;
}

int fth_cmd_tune_find_models(struct fth_cmd_tuning *tuning, struct fth_trace *trace,
                             struct fth_error **error)
{
    const struct fth_verify_options options = {0};
    const char *path = tuning->trace_path;
    struct fth_consistencies models = {0};
    struct fth_runs runs = {0};
    struct fth_verdict *verdict = NULL;
    tuning->no_models = why_not(tuning, trace);
    if (tuning->no_models)
        return 0;
    fth_consistency_built_in(&models);
    if (!fth_runs_open(&runs, &trace, &path, 1, error))
        verdict = fth_verify(&runs, &models, &options, error);
    bool done = verdict != NULL;
    if (done)
        take_verdict(tuning, verdict);
    fth_verdict_free(verdict);
    fth_runs_close(&runs);
    fth_consistencies_free(&models);
    return done ? 0 : -1;
}
