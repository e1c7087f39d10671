/* What a model asks for is a set of functions of all layers; what the program can do about it is a
 * function of the library that it uses: H5Fflush, not the fsync that may or may not be called
 * below. */
#include "verify/advise/advice_functions.h"

#include "catalog/packed.h"
#include "trace/record/builtin.h"
#include "verify/gather/known_functions.h"

#include <string.h>

/* The function of a layer that does it; NULL: nobody has said which. */
static const char *function_of(const struct fth_layer *layer, enum fth_advice_operation operation)
{
    return operation == FTH_ADVICE_FLUSH   ? layer->flush
           : operation == FTH_ADVICE_CLOSE ? layer->close
                                           : layer->open;
}

/* Is the function in the set, by its name or as what its layer calls for this? */
static bool has(const struct fth_consistency_set *set, const struct fth_layer *layer,
                enum fth_advice_operation operation)
{
    static const enum fth_advice_operation operations[FTH_MEANING_WORDS] = {
        [FTH_WORD_SYNCS] = FTH_ADVICE_FLUSH,
        [FTH_WORD_CLOSES] = FTH_ADVICE_CLOSE,
        [FTH_WORD_OPENS] = FTH_ADVICE_OPEN};
    const char *function = function_of(layer, operation);
    for (size_t i = 0; i < set->function_count; i++) {
        const char *word = set->functions[i];
        enum fth_meaning_word meaning;
        size_t length;
        if (function && strcmp(word, function) == 0)
            return true;
        if (fth_consistency_is_meaning(word, &meaning, &length) &&
            operations[meaning] == operation &&
            (length == 0 ||
             (strlen(layer->name) == length && strncmp(word, layer->name, length) == 0)))
            return true;
    }
    return false;
}

/* Those that flush often close as well: to flush is less. */
enum fth_advice_operation fth_advice_operation(const struct fth_consistency_set *set)
{
    for (enum fth_advice_operation operation = FTH_ADVICE_FLUSH; operation < FTH_ADVICE_OTHER;
         operation++)
        for (size_t i = 0; i < fth_builtin_layer_count; i++)
            if (fth_builtin_layers[i].synchronizes && has(set, &fth_builtin_layers[i], operation))
                return operation;
    return FTH_ADVICE_OTHER;
}

/* The layer knows no more of a file than the system does: what a model asks for is what it
 * calls. */
static bool is_of_system(const struct fth_layer *layer)
{
    return strcmp(layer->library, "libc") == 0;
}

/* Some of a set that a program can call: names that only the tracer or libc's headers use are left
 * out. */
static void put_set(struct fth_sink *sink, const struct fth_consistency_set *set)
{
    enum { MOST = 3 };
    size_t count = 0;
    for (size_t i = 0; i < set->function_count && count < MOST; i++) {
        const char *name = set->functions[i];
        size_t length;
        bool hidden = *name == '_' || strncmp(name, "stdio_", 6) == 0 ||
                      (fth_consistency_is_operation(name, &length) && length == 0);
        if (set->function_count > 1 && hidden)
            continue;
        fth_sink_text(sink, count++ ? ", " : "");
        fth_sink_text(sink, fth_consistency_example(name));
    }
    fth_sink_text(sink, count < set->function_count ? " ..." : "");
}

bool fth_advice_is_collective(const struct fth_advice_side *side, const char *function)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (size_t i = 0; i < catalog->row_count; i++)
        if (strcmp(catalog->rows[i].name, function) == 0)
            return catalog->rows[i].flags & FTH_CALL_COLLECTIVE ||
                   (catalog->rows[i].flags & FTH_CALL_COLLECTIVE_IF_SHARED && side->above_mpiio);
    for (size_t i = 0; side->trace && i < fth_trace_function_count(side->trace); i++)
        if (strcmp(fth_trace_function(side->trace, i)->name, function) == 0)
            return fth_trace_function(side->trace, i)->collective;
    return false;
}

/* HDF5 and NetCDF ask nobody to flush if MPI-IO is not below: then what is written gets there when
 * they close. */
const char *fth_advice_function(const struct fth_consistency_set *set,
                                const struct fth_advice_side *side)
{
    enum fth_advice_operation operation = fth_advice_operation(set);
    const struct fth_layer *layer = side->layer;
    if (!layer || operation == FTH_ADVICE_OTHER)
        return NULL;
    if (operation == FTH_ADVICE_FLUSH && !layer->synchronizes &&
        (!side->above_mpiio || !layer->flush))
        operation = FTH_ADVICE_CLOSE;
    if (is_of_system(layer) && !has(set, layer, operation))
        return NULL;
    return operation == FTH_ADVICE_OPEN && side->above_mpiio && layer->open_together
               ? layer->open_together
               : function_of(layer, operation);
}

static bool is_called(const struct fth_advice_side *side, const char *function)
{
    return function && strcmp(function, side->function) == 0;
}

/* What fclose or H5Fclose writes is flushed and closed when it is over, and nothing can be asked of
 * the file after that. */
bool fth_advice_is_done_by_itself(const struct fth_consistency_set *set,
                                  const struct fth_advice_side *side)
{
    enum fth_advice_operation operation = fth_advice_operation(set);
    if ((side->call && fth_consistency_set_has(set, side->call, FTH_MARK_CALL)) ||
        (side->closes && operation != FTH_ADVICE_OPEN && operation != FTH_ADVICE_OTHER))
        return true;
    if (!side->layer || operation == FTH_ADVICE_OTHER || operation == FTH_ADVICE_OPEN)
        return false;
    return is_called(side, function_of(side->layer, operation)) ||
           is_called(side, side->layer->close);
}

void fth_advice_put_function(struct fth_sink *sink, const struct fth_consistency_set *set,
                             const struct fth_advice_side *side)
{
    const char *function = fth_advice_function(set, side);
    if (function) {
        fth_sink_text(sink, function);
        return;
    }
    fth_sink_text(sink, set->function_count > 1 ? "one of " : "");
    put_set(sink, set);
}
