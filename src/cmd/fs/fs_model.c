/* From the language of consistency models to the moments of a file system: to publish where a
 * construct begins "x po S", else at x; to fetch where it ends "T po y", else at y. The file system
 * does what any of the constructs asks for. To do it more often would be right, too. */
#include "cmd/fs/fs_model.h"

#include "base/memory.h"
#include "catalog/consistency_meaning.h"
#include "cmd/shared/installed.h"
#include "consistency/language.h"
#include "trace/record/builtin.h"

#include <fathom/trace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that the file system takes part in, or that calls one on the same file. */
static bool is_seen(const struct fth_function *function)
{
    return fth_layer_is(function->layer, FTH_LAYER_SYSTEM) ||
           fth_layer_is(function->layer, FTH_LAYER_STREAMS) ||
           strcmp(function->layer, "mpiio") == 0;
}

static unsigned moment_of(const struct fth_function *function)
{
    unsigned moment = (function->syncs ? FTH_AT_SYNC : 0) | (function->opens ? FTH_AT_OPEN : 0) |
                      (function->closes ? FTH_AT_CLOSE : 0);
    return moment && is_seen(function) ? moment : FTH_AT_ACCESS;
}

static struct fth_function function_of(const struct fth_catalog *catalog, const struct fth_row *row)
{
    unsigned means = fth_row_means(catalog, row, fth_builtin_layer(row->layer));
    return (struct fth_function){.name = row->name,
                                 .layer = row->layer,
                                 .kind = row->kind,
                                 .opens = means & FTH_MEANS_OPENS,
                                 .closes = means & FTH_MEANS_CLOSES,
                                 .syncs = means & FTH_MEANS_SYNCS};
}

/* All moments at which one of these functions is called; a process that ends closes its files. */
static unsigned moments_of(const struct fth_consistency_set *set)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    unsigned moments = 0;
    for (size_t i = 0; i < catalog->row_count; i++) {
        struct fth_function function = function_of(catalog, &catalog->rows[i]);
        if (fth_consistency_set_has(set, &function, FTH_MARK_CALL))
            moments |= moment_of(&function);
        if (fth_consistency_set_has(set, &function, FTH_MARK_CLOSES))
            moments |= is_seen(&function) ? FTH_AT_CLOSE : FTH_AT_ACCESS;
    }
    return moments;
}

/* Servers truncate at once, and what is only read needs not be published. */
enum {
    PUBLISHES_NOTHING = FTH_X_READS | FTH_X_TRUNCATES,
    FETCHES_NOTHING = FTH_X_READS | FTH_Y_WRITES | FTH_Y_TRUNCATES,
};

static void add(const struct fth_consistency *model, const struct fth_construct *construct,
                struct fth_fs_instance *instance)
{
    size_t last = construct->step_count;
    if (construct->conditions & FTH_BOTH_ATOMIC) /* who sets that mode is served at each access */
        return;
    if (!(construct->conditions & PUBLISHES_NOTHING))
        instance->publishes |= last && construct->steps[0].relation == FTH_PROGRAM_ORDER
                                   ? moments_of(&model->sets[construct->steps[0].set])
                                   : FTH_AT_ACCESS;
    if (!(construct->conditions & FETCHES_NOTHING))
        instance->fetches |= last && construct->last == FTH_PROGRAM_ORDER
                                 ? moments_of(&model->sets[construct->steps[last - 1].set])
                                 : FTH_AT_ACCESS;
}

/* Accesses of MPI may be made by other ranks, as aggregators, at times of their own. */
static bool is_of_others(const struct fth_consistency *model)
{
    for (size_t i = 0; i < model->layer_count; i++)
        if (strcmp(model->layers[i], "mpiio") == 0)
            return true;
    return false;
}

/* Each access is such a moment, but of files for which calls of MPI do it. */
static void leave_to_ranks(struct fth_fs_instance *instance)
{
    if (!((instance->publishes | instance->fetches) & FTH_AT_ACCESS)) {
        instance->publishes |= FTH_OF_RANKS;
        instance->fetches |= FTH_OF_RANKS;
    }
    instance->publishes |= FTH_AT_ACCESS;
    instance->fetches |= FTH_AT_ACCESS;
}

static int set_moments(const struct fth_consistency *model, struct fth_fs_instance *instance,
                       struct fth_error **error)
{
    if (strlen(model->name) >= sizeof instance->model)
        return fth_fail(error, "the name of the model '%s' is too long", model->name);
    strcpy(instance->model, model->name);
    instance->publishes = instance->fetches = 0;
    for (size_t i = 0; i < model->construct_count; i++)
        add(model, &model->constructs[i], instance);
    if (is_of_others(model))
        leave_to_ranks(instance);
    /* others see it at some time */
    if (!instance->publishes)
        instance->publishes = instance->within ? FTH_AT_BOUND : FTH_AT_ACCESS;
    if (!instance->fetches)
        instance->fetches = instance->within ? FTH_AT_BOUND : FTH_AT_ACCESS;
    return 0;
}

static bool is_file(const char *model)
{
    return strchr(model, '/') || strchr(model, '.');
}

int fth_cmd_fs_model(const char *name, struct fth_fs_instance *instance, struct fth_error **error)
{
    struct fth_consistencies models = {0};
    int failed = 0;
    if (!is_file(name)) {
        fth_consistency_built_in(&models);
        const struct fth_consistency *model = fth_consistency_find(&models, name);
        failed = model ? set_moments(model, instance, error)
                       : fth_fail(error,
                                  "there is no model '%s': choose posix, commit, session, mpi-io "
                                  "or eventual, or give a file (./%s)",
                                  name, name);
    } else if (!(failed = fth_consistency_read(&models, name, error))) {
        failed = models.count == 1 ? set_moments(&models.models[0], instance, error)
                                   : fth_fail(error, "'%s' has %zu models: give a file with one",
                                              name, models.count);
    }
    fth_consistencies_free(&models);
    return failed;
}

int fth_cmd_fs_preload(char **preload, struct fth_error **error)
{
    char wrappers[PATH_MAX], prefix[PATH_MAX];
    const char *theirs = getenv("LD_PRELOAD");
    if (!fth_cmd_installed(NULL, "libfathom.so", wrappers) ||
        !fth_cmd_installed(NULL, "libfathom-prefix.so", prefix))
        return fth_fail(error, "libfathom.so or libfathom-prefix.so is not installed beside this "
                               "program (the latter is built where libsodium.a is)");
    if (strpbrk(wrappers, ": ") || strpbrk(prefix, ": "))
        return fth_fail(error, "a path with a blank or a colon cannot be preloaded: '%s'",
                        wrappers);
    if (asprintf(preload, "%s:%s%s%s", wrappers, prefix, theirs && *theirs ? ":" : "",
                 theirs ? theirs : "") < 0)
        fth_out_of_memory();
    return 0;
}
