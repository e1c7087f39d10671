/* Consistency models once they are read: which functions a set means, and models by name. */
#include "consistency/language.h"

#include <fathom/trace.h>

#include <stdlib.h>
#include <string.h>

static const char process_end[] = "process_end", closes[] = "_close";

bool fth_consistency_is_operation(const char *word, size_t *length)
{
    size_t all = strlen(word), behind = sizeof closes - 1;
    *length = 0;
    if (strcmp(word, process_end) == 0)
        return true;
    if (all <= behind || strcmp(word + all - behind, closes) != 0)
        return false;
    *length = all - behind;
    return true;
}

bool fth_consistency_is_meaning(const char *word, enum fth_meaning_word *meaning,
                                size_t *layer_length)
{
    static const char *const words[FTH_MEANING_WORDS] = {
        [FTH_WORD_SYNCS] = "syncs", [FTH_WORD_CLOSES] = "closes", [FTH_WORD_OPENS] = "opens"};
    const char *colon = strchr(word, ':');
    *layer_length = colon ? (size_t)(colon - word) : 0;
    for (size_t i = 0; i < FTH_MEANING_WORDS; i++)
        if (strcmp(colon ? colon + 1 : word, words[i]) == 0) {
            *meaning = (enum fth_meaning_word)i;
            return true;
        }
    return false;
}

/* What opens one file and closes another has a call that opens, and a close of its own. */
static bool does(const struct fth_function *function, enum fth_meaning_word meaning,
                 enum fth_mark_kind kind)
{
    if (kind == FTH_MARK_OPERATION)
        return meaning == FTH_WORD_SYNCS && strcmp(function->kind, "sync") == 0;
    if (kind == FTH_MARK_CLOSES)
        return meaning == FTH_WORD_CLOSES && function->closes;
    return meaning == FTH_WORD_SYNCS    ? function->syncs
           : meaning == FTH_WORD_CLOSES ? function->closes && !function->opens
                                        : function->opens;
}

static bool is_meant(const char *word, const struct fth_function *function, enum fth_mark_kind kind)
{
    size_t length;
    enum fth_meaning_word meaning;
    if (kind == FTH_MARK_PROCESS_END)
        return strcmp(word, process_end) == 0;
    if (fth_consistency_is_meaning(word, &meaning, &length) && does(function, meaning, kind))
        return length == 0 ||
               (strlen(function->layer) == length && strncmp(function->layer, word, length) == 0);
    if (kind == FTH_MARK_CALL)
        return strcmp(word, function->name) == 0;
    if (kind == FTH_MARK_OPERATION)
        return false;
    return fth_consistency_is_operation(word, &length) && length == strlen(function->name) &&
           strncmp(word, function->name, length) == 0;
}

bool fth_consistency_set_has(const struct fth_consistency_set *set,
                             const struct fth_function *function, enum fth_mark_kind kind)
{
    for (size_t i = 0; i < set->function_count; i++)
        if (is_meant(set->functions[i], function, kind))
            return true;
    return false;
}

const struct fth_consistency *fth_consistency_find(const struct fth_consistencies *models,
                                                   const char *name)
{
    for (size_t i = 0; i < models->count; i++)
        if (strcmp(models->models[i].name, name) == 0)
            return &models->models[i];
    return NULL;
}

static void free_words(char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
}

static void free_model(struct fth_consistency *model)
{
    for (size_t i = 0; i < model->set_count; i++) {
        free(model->sets[i].name);
        free_words(model->sets[i].functions, model->sets[i].function_count);
        free(model->sets[i].columns);
    }
    for (size_t i = 0; i < model->construct_count; i++)
        free(model->constructs[i].text);
    free_words(model->layers, model->layer_count);
    free_words(model->systems, model->system_count);
    for (size_t i = 0; i < model->alone_count; i++) {
        free_words(model->alone[i].systems, model->alone[i].system_count);
        free(model->alone[i].construct.text);
    }
    free(model->alone);
    free(model->sets);
    free(model->constructs);
    free(model->name);
    free(model->about);
    free(model->weaker);
}

void fth_consistency_keep(struct fth_consistencies *models, const char *name)
{
    struct fth_consistency kept = {0};
    for (size_t i = 0; i < models->count; i++)
        if (!kept.name && strcmp(models->models[i].name, name) == 0)
            kept = models->models[i];
        else
            free_model(&models->models[i]);
    free(kept.weaker);
    kept.weaker = NULL;
    models->models[0] = kept;
    models->count = 1;
}

bool fth_consistency_is_file(const char *name)
{
    return strchr(name, '/') || strchr(name, '.');
}

static int read_only_one(struct fth_consistencies *models, const char *path,
                         struct fth_error **error)
{
    if (fth_consistency_read(models, path, error))
        return -1;
    return models->count == 1
               ? 0
               : fth_fail(error, "'%s' has %zu models: give a file with one", path, models->count);
}

const struct fth_consistency *fth_consistency_meant(struct fth_consistencies *models,
                                                    const char *name, struct fth_error **error)
{
    if (fth_consistency_is_file(name))
        return read_only_one(models, name, error) ? NULL : &models->models[0];
    fth_consistency_built_in(models);
    if (fth_consistency_find(models, name)) {
        fth_consistency_keep(models, name);
        return &models->models[0];
    }
    fth_fail(error,
             "there is no model '%s': choose posix, commit, session, mpi-io or eventual, or give a "
             "file (./%s)",
             name, name);
    return NULL;
}

void fth_consistencies_free(struct fth_consistencies *models)
{
    for (size_t i = 0; i < models->count; i++)
        free_model(&models->models[i]);
    free(models->models);
    *models = (struct fth_consistencies){0};
}
