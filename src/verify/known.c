#include "verify/known.h"

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
                if (!fth_catalog_find(&catalog, set->functions[k]) &&
                    !is_in_a_trace(runs, set->functions[k]))
                    tell(context, set->functions[k], set->line, set->columns[k]);
        }
    fth_catalog_free(&catalog);
}
