/* One call that is walked through: see walk_call.h. */
#include "trace/merge/walk_call.h"

#include "base/memory.h"
#include "trace/merge/walk_sums.h"

void fth_call_kind_free(struct fth_call_kind *kind)
{
    free(kind->names);
    kind->names = NULL;
    kind->terminal = FTH_NO_TERMINAL;
}

void fth_walk_step(struct fth_walk *walk, const struct fth_signature *signature, uint64_t gap,
                   uint64_t duration, const int64_t *literals, struct fth_walked *walked)
{
    const struct fth_meaning *meaning = walked->meaning = &walk->meanings[signature->function];
    uint64_t quantum = walk->process.facts.quantum;
    memcpy(walked->values, signature->values, signature->count * sizeof *walked->values);
    for (uint32_t mask = signature->mask, i = 0; mask; mask &= mask - 1, i++)
        walked->values[__builtin_ctz(mask)] = literals[i];
    walked->holds = walk->depth > signature->depth && !meaning->note.any;
    walked->before = walk->units;
    uint64_t exit = walk->now + gap + (walked->holds ? 0 : duration);
    walked->entry = (exit - duration) / quantum;
    walk->now = exit;
    walked->exit = walk->units = exit / quantum;
    fth_state_resolve(&walk->state, signature, walked->values);
    walked->note = fth_state_note(&walk->state, meaning, walked->values);
    if (!walked->note)
        walk->depth = signature->depth;
}

void fth_walk_sum(struct fth_walk *walk, const struct fth_signature *signature,
                  const struct fth_walked *walked)
{
    if (walked->note)
        return;
    fth_walk_add_to_sums(walk, walked->meaning, signature, walked->values, walked->exit,
                         walked->exit - walked->entry);
    walk->process.calls++;
}
