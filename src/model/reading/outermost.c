/* Depths are in signatures. */
#include "model/reading/outermost.h"

#include "model/reading/model.h"

static bool has_outermost(const struct fth_trace *trace, const struct fth_part_process *process,
                          bool (*wanted)(const struct fth_function *function))
{
    for (uint32_t i = 0; i < process->signature_count; i++) {
        const struct fth_signature *signature = process->terminals[i].common;
        if (signature->depth == 0 && wanted(&trace->functions[signature->function]))
            return true;
    }
    return false;
}

bool fth_outermost_may_be_called(const struct fth_trace *trace, size_t proc,
                                 bool (*wanted)(const struct fth_function *function))
{
    const struct fth_model_process *process = &trace->processes[proc];
    bool may = false;
    for (size_t i = 0; !may && i < process->share_count; i++) {
        const struct fth_model_share *share = &process->shares[i];
        struct fth_part_process stored;
        struct fth_error *error = NULL;
        may = fth_stored_part_process(share->part, share->index, &stored, &error) ||
              has_outermost(trace, &stored, wanted);
        if (!error)
            fth_part_process_free(&stored);
        fth_error_free(error);
    }
    return may;
}
