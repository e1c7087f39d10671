/* Models of an instance, from the command line. */
#include "cmd/fs/fs_model.h"

#include "base/memory.h"
#include "cmd/shared/installed.h"
#include "consistency/model_moments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each access is such a moment, but of files for which calls of MPI do it. */
static struct fth_moments left_to_ranks(struct fth_moments moments)
{
    unsigned more = (moments.publishes | moments.fetches) & FTH_AT_ACCESS
                        ? FTH_AT_ACCESS
                        : FTH_AT_ACCESS | FTH_OF_RANKS;
    return (struct fth_moments){moments.publishes | more, moments.fetches | more};
}

static struct fth_moments moments_of(const struct fth_consistency *model, uint64_t within)
{
    struct fth_moments moments = fth_moments_of(model, within ? FTH_AT_BOUND : FTH_AT_ACCESS);
    return fth_moments_are_of_ranks(model) ? left_to_ranks(moments) : moments;
}

int fth_cmd_fs_moments(const char *name, struct fth_moments *moments, struct fth_error **error)
{
    struct fth_consistencies models = {0};
    const struct fth_consistency *model = fth_consistency_meant(&models, name, error);
    if (model)
        *moments = moments_of(model, 0);
    fth_consistencies_free(&models);
    return model ? 0 : -1;
}

int fth_cmd_fs_add_model(struct fth_fs_instance *instance, const struct fth_consistency *model,
                         struct fth_error **error)
{
    return fth_model_rules_model(&instance->rules, model->name, moments_of(model, instance->within),
                                 error);
}

static int add_named(struct fth_fs_instance *instance, const char *name, struct fth_error **error)
{
    struct fth_consistencies models = {0};
    const struct fth_consistency *model = fth_consistency_meant(&models, name, error);
    int number = model ? fth_cmd_fs_add_model(instance, model, error) : -1;
    fth_consistencies_free(&models);
    return number;
}

static const char *behind(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return length && strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1
                                                                               : NULL;
}

const char *fth_cmd_fs_name_below(const struct fth_fs_instance *instance, const char *path)
{
    if (*path != '/')
        return strncmp(path, "./", 2) == 0 ? path + 2 : path;
    const char *name = behind(path, instance->under_path);
    return name ? name : behind(path, instance->prefix);
}

static int add_for_names(struct fth_fs_instance *instance, const char *given, const char *equals,
                         struct fth_error **error)
{
    char *names = fth_text_part(given, (size_t)(equals - given));
    const char *below = fth_cmd_fs_name_below(instance, names);
    int model = add_named(instance, equals + 1, error), failed = model < 0 ? -1 : 0;
    if (!failed && (!below || !*below))
        failed = fth_fail(error, "'%s' has no files of the file system: it is not below '%s'",
                          names, instance->under_path);
    if (!failed)
        failed = fth_model_rules_add(&instance->rules, below, strpbrk(below, "*?[\\") != NULL,
                                     model, NULL, error);
    free(names);
    return failed;
}

/* The model of all files that no rule names is the first one of the rules. */
static int choose_for_all(const struct fth_cmd_fs_models *models, struct fth_fs_instance *instance,
                          struct fth_error **error)
{
    const char *chosen = NULL;
    for (size_t i = 0; i < models->given_count; i++) {
        if (strchr(models->given[i], '='))
            continue;
        if (chosen && strcmp(chosen, models->given[i]) != 0)
            return fth_fail(error,
                            "all files have two models, %s and %s; give one of them for some, as "
                            "--model 'NAMES=MODEL'",
                            chosen, models->given[i]);
        chosen = models->given[i];
    }
    return add_named(instance, chosen ? chosen : "posix", error) < 0 ? -1 : 0;
}

int fth_cmd_fs_choose_models(const struct fth_cmd_fs_models *models,
                             struct fth_fs_instance *instance, struct fth_error **error)
{
    if (!fth_cmd_fs_has_models(models))
        return 0;
    if (choose_for_all(models, instance, error))
        return -1;
    for (size_t i = 0; i < models->given_count; i++) {
        const char *equals = strrchr(models->given[i], '=');
        if (equals && add_for_names(instance, models->given[i], equals, error))
            return -1;
    }
    return 0;
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
