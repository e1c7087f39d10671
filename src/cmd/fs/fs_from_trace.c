/* From the verdict of a recorded run to a model for each of its files. */
#include "cmd/fs/fs_from_trace.h"

#include "base/memory.h"
#include "base/visible.h"
#include "cmd/fs/fs_model.h"
#include "cmd/shared/command.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct from {
    const struct fth_verdict *verdict;
    const struct fth_consistencies *models;
    struct fth_fs_instance *instance;
    size_t count; /* of files that are below */
};

static bool is_in(const struct fth_verdict_file *files, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(files[i].name, name) == 0)
            return true;
    return false;
}

/* Why the strongest model has to do; NULL: it has not. */
static const char *why_posix(const struct fth_verdict *verdict,
                             const struct fth_verdict_by_file *file)
{
    if (file->racy)
        return "accesses race whatever the model";
    if (file->unknown || !file->weakest)
        return "not known whether a weaker model is enough";
    if (verdict->unseen_count)
        return "not known: a part of the run was not recorded";
    if (is_in(verdict->unknown_files, verdict->unknown_file_count, file->name))
        return "not known: it is not known which bytes some accesses are of";
    if (is_in(verdict->mapped_files, verdict->mapped_file_count, file->name))
        return "not known: it was mapped to be written";
    if (is_in(verdict->turn_files, verdict->turn_file_count, file->name))
        return "not known: processes share a position in it, and came in no order";
    if (is_in(verdict->vague_turn_files, verdict->vague_turn_file_count, file->name))
        return "not known: threads share a position in it, and how they wait for each other was "
               "not recorded";
    return NULL;
}

/* The strongest of those that cost the file system as little as the weakest one that is enough: a
 * model that never wants anything to be seen is kept by publishing at once. */
static const struct fth_consistency *cheapest(const struct from *from,
                                              const struct fth_consistency *weakest)
{
    struct fth_moments moments = fth_moments_of(weakest, FTH_AT_ACCESS);
    const struct fth_consistency *stronger =
        weakest->weaker ? fth_consistency_find(from->models, weakest->weaker) : NULL;
    bool is_eager = (moments.publishes | moments.fetches) == FTH_AT_ACCESS;
    return is_eager && stronger ? stronger : weakest;
}

static int add_name(struct from *from, const char *path, int model, const char *reason,
                    struct fth_error **error)
{
    const char *name = path && *path == '/' ? fth_cmd_fs_name_below(from->instance, path) : NULL;
    const struct fth_model_rule *one, *other;
    if (!name || !*name || strchr(name, '\n'))
        return 0;
    from->count++;
    /* what the user says of the file goes before */
    fth_model_rules_of(&from->instance->rules, name, &one, &other);
    return one ? 0 : fth_model_rules_add(&from->instance->rules, name, false, model, reason, error);
}

static int add_file(struct from *from, const struct fth_verdict_by_file *file, bool shared,
                    struct fth_error **error)
{
    char reason[160];
    const char *why = why_posix(from->verdict, file);
    const struct fth_consistency *model =
        why ? fth_consistency_find(from->models, "posix") : cheapest(from, file->weakest);
    if (why)
        snprintf(reason, sizeof reason, "%s", why);
    else if (!shared)
        snprintf(reason, sizeof reason, "one process accessed it");
    else
        snprintf(reason, sizeof reason, "%s is enough", file->weakest->name);
    int number = fth_cmd_fs_add_model(from->instance, model, error);
    return number < 0 || add_name(from, file->name, number, reason, error) ||
                   add_name(from, file->renamed, number, reason, error)
               ? -1
               : 0;
}

static int add_files(struct from *from, const char *trace, struct fth_error **error)
{
    const struct fth_verdict *verdict = from->verdict;
    for (size_t i = 0; i < verdict->by_file_count; i++)
        if (add_file(from, &verdict->by_file[i], true, error))
            return -1;
    for (size_t i = 0; i < verdict->single_count; i++)
        if (add_file(from, &verdict->single[i], false, error))
            return -1;
    if (from->count)
        return 0;
    return fth_fail(error,
                    "no file that was accessed in '%s' is below '%s': record the program with its "
                    "files there, or say with --under and --at where they were",
                    trace, from->instance->under_path);
}

enum { SHOWN = 10 };

static void show_rules(const struct fth_model_rules *rules, const char *trace)
{
    size_t shown = 0;
    for (size_t i = 0; i < rules->rule_count; i++) {
        const struct fth_model_rule *rule = &rules->rules[i];
        if (rule->reason && ++shown <= SHOWN)
            fth_say(stderr, "fathom fs: %s: %s consistency (%s)\n", rule->names,
                    rules->models[rule->model].name, rule->reason);
    }
    if (shown > SHOWN)
        fth_say(stderr, "fathom fs: %zu more files have the model that '%s' says\n", shown - SHOWN,
                trace);
}

int fth_cmd_fs_from_trace(const char *path, struct fth_fs_instance *instance,
                          struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(path, error);
    struct fth_consistencies models = {0};
    struct fth_runs runs = {0};
    struct fth_verdict *verdict = NULL;
    int failed = -1;
    if (!trace)
        return -1;
    fth_consistency_built_in(&models);
    if (!fth_runs_open(&runs, &trace, &path, 1, error))
        verdict = fth_verify(&runs, &models, &(struct fth_verify_options){.threads = 0}, error);
    if (verdict) {
        struct from from = {.verdict = verdict, .models = &models, .instance = instance};
        failed = add_files(&from, path, error);
        if (!failed)
            show_rules(&instance->rules, path);
    }
    fth_verdict_free(verdict);
    fth_runs_close(&runs);
    fth_consistencies_free(&models);
    fth_trace_close(trace);
    return failed;
}
