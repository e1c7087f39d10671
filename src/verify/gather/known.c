/* Asks the catalogue that is built in, then those of the traces. */
#include "verify/gather/known.h"

#include "catalog/packed.h"

#include <string.h>

static bool is_in_a_trace(const struct fth_runs *runs, const char *name)
{
    for (size_t i = 0; i < runs->count; i++)
        for (size_t k = 0; k < fth_trace_function_count(runs->runs[i].trace); k++)
            if (strcmp(fth_trace_function(runs->runs[i].trace, k)->name, name) == 0)
                return true;
    return false;
}

static bool is_known(struct fth_catalog *catalog, const struct fth_runs *runs, const char *word)
{
    size_t length;
    char name[256];
    if (fth_catalog_find(catalog, word) || is_in_a_trace(runs, word))
        return true;
    if (!fth_consistency_is_operation(word, &length) || length >= sizeof name)
        return false;
    memcpy(name, word, length);
    name[length] = 0;
    return length == 0 || fth_catalog_find(catalog, name) || is_in_a_trace(runs, name);
}

void fth_consistencies_unknown(const struct fth_consistencies *models, const struct fth_runs *runs,
                               void (*tell)(void *context, const char *function, unsigned line,
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
                    tell(context, set->functions[k], set->line, set->columns[k]);
        }
    fth_catalog_free(&catalog);
}
