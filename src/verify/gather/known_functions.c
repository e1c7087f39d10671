/* Asks the catalogue that is built in, then those of the traces. */
#include "verify/gather/known_functions.h"

#include "catalog/packed.h"
#include "catalog/values.h"

#include <string.h>

static bool is_in_a_trace(const struct fth_runs *runs, const char *name)
{
    for (size_t i = 0; i < runs->count; i++)
        for (size_t k = 0; k < fth_trace_function_count(runs->runs[i].trace); k++)
            if (strcmp(fth_trace_function(runs->runs[i].trace, k)->name, name) == 0)
                return true;
    return false;
}

static bool is_layer(const struct fth_runs *runs, const char *word, size_t length)
{
    for (size_t i = 0; i < fth_builtin_layer_count; i++)
        if (strlen(fth_builtin_layers[i].name) == length &&
            strncmp(fth_builtin_layers[i].name, word, length) == 0)
            return true;
    for (size_t i = 0; i < runs->count; i++)
        for (size_t k = 0; k < fth_trace_function_count(runs->runs[i].trace); k++) {
            const char *layer = fth_trace_function(runs->runs[i].trace, k)->layer;
            if (strlen(layer) == length && strncmp(layer, word, length) == 0)
                return true;
        }
    return false;
}

static bool is_known(struct fth_catalog *catalog, const struct fth_runs *runs, const char *word)
{
    size_t length;
    char name[256];
    enum fth_meaning_word meaning;
    if (fth_consistency_is_meaning(word, &meaning, &length))
        return length == 0 || is_layer(runs, word, length);
    if (fth_catalog_find(catalog, word) || is_in_a_trace(runs, word))
        return true;
    if (!fth_consistency_is_operation(word, &length) || length >= sizeof name)
        return false;
    memcpy(name, word, length);
    name[length] = 0;
    return length == 0 || fth_catalog_find(catalog, name) || is_in_a_trace(runs, name);
}

void fth_consistencies_unknown(const struct fth_consistencies *models, const struct fth_runs *runs,
                               void (*report)(void *context, const char *function, unsigned line,
                                              unsigned column),
                               void *context)
{
    struct fth_catalog catalog;
    if (fth_catalog_begin_with(&catalog, &fth_packed_builtin))
        return;
    for (size_t i = 0; i < models->count; i++)
        for (size_t j = 0; j < models->models[i].set_count; j++) {
            const struct fth_consistency_set *set = &models->models[i].sets[j];
            for (size_t k = 0; k < set->function_count; k++)
                if (!is_known(&catalog, runs, set->functions[k]))
                    report(context, set->functions[k], set->line, set->columns[k]);
        }
    fth_catalog_free(&catalog);
}

static bool is_asked(const struct fth_layer *layer, const char *word, size_t length)
{
    if (length == 0)
        return layer->is & FTH_LAYER_SYSTEM;
    return strlen(layer->name) == length && strncmp(layer->name, word, length) == 0;
}

const char *fth_consistency_example(const char *word)
{
    enum fth_meaning_word meaning;
    size_t length;
    if (!fth_consistency_is_meaning(word, &meaning, &length))
        return word;
    for (size_t i = 0; i < fth_builtin_layer_count; i++) {
        const struct fth_layer *layer = &fth_builtin_layers[i];
        const char *function = meaning == FTH_WORD_SYNCS    ? layer->flush
                               : meaning == FTH_WORD_CLOSES ? layer->close
                                                            : layer->open;
        if (is_asked(layer, word, length))
            return function ? function : word;
    }
    return word;
}
