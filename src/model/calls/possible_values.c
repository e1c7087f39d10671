/* A value that is the same in all calls of a signature stands in the signature. */
#include "model/calls/possible_values.h"

#include "base/memory.h"
#include "model/calls/calls_state.h"

static bool is_one(const struct fth_trace *trace, const struct fth_share *share,
                   const struct fth_stored_signature *stored, const struct fth_asked_value *asked)
{
    const struct fth_signature *signature = stored->common;
    const struct fth_function *function = &trace->functions[signature->function];
    const struct fth_meaning *meaning = &trace->meanings[signature->function];
    const int64_t *values = fth_share_values(share, stored);
    for (int i = 0; i < meaning->value_count; i++) {
        int field = meaning->plan[i].field;
        if (meaning->plan[i].part == FTH_PART_INTEGER && field >= 0 &&
            asked->is_enough(asked->context, function, (size_t)field,
                             fth_is_constant(signature, i) ? &values[i] : NULL))
            return true;
    }
    return false;
}

/* By row. */
static bool *wanted_functions(const struct fth_trace *trace, const struct fth_asked_value *asked)
{
    bool *wanted = fth_new(trace->catalog.row_count + 1, sizeof *wanted);
    for (size_t i = 0; i < trace->listed_count; i++)
        wanted[trace->listed[i] - trace->functions] = asked->wanted(trace->listed[i]);
    return wanted;
}

bool fth_process_may_have(struct fth_trace *trace, size_t proc, const struct fth_asked_value *asked)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_as_asked(trace, proc, &error);
    bool may = !calls, *wanted = wanted_functions(trace, asked);
    for (size_t i = 0; !may && i < calls->share_count; i++) {
        const struct fth_share *share = &calls->shares[i];
        for (uint32_t k = 0; !may && k < share->stored.signature_count; k++) {
            const struct fth_stored_signature *stored = &share->stored.terminals[k];
            may = wanted[stored->common->function] && is_one(trace, share, stored, asked);
        }
    }
    free(wanted);
    fth_calls_close(calls);
    fth_error_free(error);
    return may;
}
