/* The moments of a model, by what the functions of the catalogue mean. */
#include "consistency/model_moments.h"

#include "catalog/consistency_meaning.h"
#include "trace/record/builtin.h"

#include <fathom/trace.h>
#include <string.h>

/* A function that a file system takes part in, or that calls one on the same file. */
static bool is_seen(const struct fth_function *function)
{
    return fth_layer_is(function->layer, FTH_LAYER_SYSTEM) ||
           fth_layer_is(function->layer, FTH_LAYER_STREAMS) ||
           strcmp(function->layer, "mpiio") == 0;
}

static struct fth_function function_of(const struct fth_row *row)
{
    return (struct fth_function){.name = row->name, .layer = row->layer, .kind = row->kind};
}

/* As which of the things that the function does is it in the set? freopen closes and opens: it is
 * in a set of calls that close because of the one, and the other is no moment of that set. */
static unsigned moments_of_row(const struct fth_consistency_set *set, const struct fth_row *row,
                               unsigned means)
{
    struct fth_function function = function_of(row), opens = function, closes = function,
                        syncs = function;
    opens.opens = closes.closes = syncs.syncs = true;
    unsigned moments = 0;
    if ((means & FTH_MEANS_OPENS) && fth_consistency_set_has(set, &opens, FTH_MARK_CALL))
        moments |= FTH_AT_OPEN;
    if ((means & FTH_MEANS_CLOSES) && (fth_consistency_set_has(set, &closes, FTH_MARK_CALL) ||
                                       fth_consistency_set_has(set, &closes, FTH_MARK_CLOSES)))
        moments |= FTH_AT_CLOSE;
    if ((means & FTH_MEANS_SYNCS) && fth_consistency_set_has(set, &syncs, FTH_MARK_CALL))
        moments |= FTH_AT_SYNC;
    bool is_in = moments || fth_consistency_set_has(set, &function, FTH_MARK_CALL);
    return is_in && (!moments || !is_seen(&function)) ? FTH_AT_ACCESS : moments;
}

/* All moments at which one of these functions is called. The end of a process is none: it closes
 * the files of the process. */
static unsigned moments_of_set(const struct fth_consistency_set *set)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    unsigned moments = 0;
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        moments |=
            moments_of_row(set, row, fth_row_means(catalog, row, fth_builtin_layer(row->layer)));
    }
    return moments;
}

/* Servers truncate at once, and what is only read needs not be published. */
enum {
    PUBLISHES_NOTHING = FTH_X_READS | FTH_X_TRUNCATES,
    FETCHES_NOTHING = FTH_X_READS | FTH_Y_WRITES | FTH_Y_TRUNCATES,
};

static void add(const struct fth_consistency *model, const struct fth_construct *construct,
                struct fth_moments *moments)
{
    size_t last = construct->step_count;
    if (construct->conditions & FTH_BOTH_ATOMIC)
        return;
    if (!(construct->conditions & PUBLISHES_NOTHING))
        moments->publishes |= last && construct->steps[0].relation == FTH_PROGRAM_ORDER
                                  ? moments_of_set(&model->sets[construct->steps[0].set])
                                  : FTH_AT_ACCESS;
    if (!(construct->conditions & FETCHES_NOTHING))
        moments->fetches |= last && construct->last == FTH_PROGRAM_ORDER
                                ? moments_of_set(&model->sets[construct->steps[last - 1].set])
                                : FTH_AT_ACCESS;
}

bool fth_moments_are_of_ranks(const struct fth_consistency *model)
{
    for (size_t i = 0; i < model->layer_count; i++)
        if (strcmp(model->layers[i], "mpiio") == 0)
            return true;
    for (size_t i = 0; i < model->construct_count; i++)
        if (model->constructs[i].conditions & FTH_BOTH_ATOMIC)
            return true;
    return false;
}

struct fth_moments fth_moments_of(const struct fth_consistency *model, enum fth_model_moment none)
{
    struct fth_moments moments = {0, 0};
    for (size_t i = 0; i < model->construct_count; i++)
        add(model, &model->constructs[i], &moments);
    if (!moments.publishes)
        moments.publishes = none;
    if (!moments.fetches)
        moments.fetches = none;
    return moments;
}
