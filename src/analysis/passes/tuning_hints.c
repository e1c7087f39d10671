/* What the catalogue says of the layer, of programs in Python that of the packages that hide it. */
#include "analysis/passes/tuning_hints.h"

#include "model/reading/trace_functions.h"

#include <string.h>

/* Where the layer has no words of its own. */
static const char *const plain[FTH_HINTS] = {
    [FTH_HINT_LARGER] = "Gather pieces in memory and access them together, or change the layout so "
                        "that they are contiguous.",
    [FTH_HINT_TOGETHER] = "Use collective I/O (MPI-IO, or a library on top of it), or gather "
                          "pieces in memory and access them together.",
    [FTH_HINT_BUFFER] = "Use a larger buffer.",
    [FTH_HINT_UNUSED] =
        "Access the file sequentially, or use smaller buffers for scattered accesses.",
    [FTH_HINT_ALIGNED] = "Begin the part of each process at a multiple of that size, or set the "
                         "stripe size to the size of the parts.",
    [FTH_HINT_OBJECTS] = "Make fewer metadata calls.",
    [FTH_HINT_ATTRIBUTES] = "Use fewer and larger attributes.",
};

static bool is_python(const struct fth_survey *survey, const struct fth_example *example)
{
    const struct fth_process *process = fth_trace_process(survey->trace, example->proc);
    const char *slash = strrchr(process->executable, '/'),
               *name = slash ? slash + 1 : process->executable;
    return example->asked && strncmp(name, "python", strlen("python")) == 0;
}

static bool is_reopened(struct fth_results *results, uint32_t file)
{
    results->reopened.size = sizeof(bool); /* of a pass that did not run there are none */
    return file != FTH_NO_FILE && *(bool *)fth_indexed_get(&results->reopened, file, 0);
}

static const char *find(bool python, const struct fth_layer *layer, enum fth_hint hint)
{
    const char *words = python ? layer->hints[FTH_HINT_IN_PYTHON][hint] : NULL;
    return words ? words : layer->hints[FTH_HINT_IN_C][hint];
}

const char *fth_tuning_hint_kept(const struct fth_survey *survey, struct fth_results *results,
                                 const struct fth_example *example, uint32_t file,
                                 const char *layer)
{
    const struct fth_layer *said = fth_trace_layer(survey->trace, layer);
    return said && is_reopened(results, file)
               ? find(is_python(survey, example), said, FTH_HINT_KEPT)
               : NULL;
}

const char *fth_tuning_hint(const struct fth_survey *survey, struct fth_results *results,
                            const struct fth_example *example, uint32_t file, const char *layer,
                            enum fth_hint hint)
{
    bool of_cache = hint == FTH_HINT_LARGER || hint == FTH_HINT_BUFFER || hint == FTH_HINT_UNUSED;
    const struct fth_layer *said = fth_trace_layer(survey->trace, layer);
    const char *words =
        of_cache ? fth_tuning_hint_kept(survey, results, example, file, layer) : NULL;
    if (said && !words)
        words = find(is_python(survey, example), said, hint);
    return words ? words : plain[hint];
}
