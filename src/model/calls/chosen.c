/* The choice, and what is remembered of its answers: one for each function, for each file, and for
 * calls of one signature as long as what their handles are bound to stays the same. */
#include "model/calls/chosen.h"

#include "base/memory.h"
#include "model/calls/present.h"

enum { UNWANTED = 1, WANTED };

struct fth_chosen *fth_chosen_new(const struct fth_trace *trace, size_t signature_count,
                                  const struct fth_choice *choice)
{
    struct fth_chosen *chosen = fth_new(1, sizeof *chosen);
    size_t rows = 0;
    for (size_t i = 0; i < trace->listed_count; i++) {
        size_t row = (size_t)(trace->listed[i] - trace->functions);
        rows = row >= rows ? row + 1 : rows;
    }
    *chosen = (struct fth_chosen){.choice = *choice, .functions = fth_new(rows, sizeof(bool))};
    for (size_t i = 0; i < trace->listed_count; i++)
        chosen->functions[trace->listed[i] - trace->functions] =
            choice->function(choice->context, trace->listed[i]);
    if (choice->file)
        chosen->unwanted = fth_new(signature_count, sizeof *chosen->unwanted);
    return chosen;
}

void fth_chosen_free(struct fth_chosen *chosen)
{
    if (!chosen)
        return;
    free(chosen->functions);
    free(chosen->unwanted);
    free(chosen->files);
    free(chosen);
}

static bool is_of_wanted_file(struct fth_chosen *chosen, const struct fth_call *call)
{
    const struct fth_choice *choice = &chosen->choice;
    uint32_t number = call->file_number;
    if (!call->file || !number)
        return choice->file(choice->context, call->file);
    chosen->files = fth_reach(chosen->files, &chosen->file_limit, number, 1);
    uint8_t *answer = &chosen->files[number];
    if (!*answer)
        *answer = choice->file(choice->context, call->file) ? WANTED : UNWANTED;
    return *answer == WANTED;
}

/* Versions of bindings count from 0. */
bool fth_chosen_has(struct fth_chosen *chosen, const struct fth_showing *showing)
{
    const struct fth_raw_call *raw = showing->raw;
    if (!chosen->functions[raw->signature->function])
        return false;
    if (!chosen->choice.file)
        return true;
    uint64_t *unwanted = &chosen->unwanted[raw->number], bindings = showing->state->version + 1;
    if (*unwanted == bindings)
        return false;
    struct fth_call call;
    fth_value_put_file(showing, &call);
    bool is_wanted =
        is_of_wanted_file(chosen, &call) ||
        (call.other_file && chosen->choice.file(chosen->choice.context, call.other_file));
    if (!is_wanted && !call.other_file && fth_is_file_bound(raw->meaning, raw->signature))
        *unwanted = bindings;
    return is_wanted;
}
