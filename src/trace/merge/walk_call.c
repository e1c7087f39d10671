/* One call that is walked through: see walk_call.h. */
#include "trace/merge/walk_call.h"

#include "base/memory.h"
#include "trace/merge/walk_sums.h"

void fth_call_kind_free(struct fth_call_kind *kind)
{
    free(kind->names);
    kind->names = NULL;
    kind->sum.place = 0;
    kind->terminal = FTH_NO_TERMINAL;
}

/* What the program passed. */
static const int64_t *resolve(struct fth_walk *walk, const struct fth_signature *signature,
                              const int64_t *literals, int64_t *resolved)
{
    if (fth_kind_is_constant(&walk->meanings[signature->function], signature))
        return signature->values;
    memcpy(resolved, signature->values, signature->count * sizeof *resolved);
    for (uint32_t mask = signature->mask, i = 0; mask; mask &= mask - 1, i++)
        resolved[__builtin_ctz(mask)] = literals[i];
    fth_state_resolve(&walk->state, signature, resolved);
    return resolved;
}

void fth_walk_step(struct fth_walk *walk, const struct fth_signature *signature, uint64_t gap,
                   uint64_t duration, const int64_t *literals, struct fth_walked *walked)
{
    const struct fth_meaning *meaning = walked->meaning = &walk->meanings[signature->function];
    fth_walk_pass(walk, walk->depth > signature->depth && !meaning->note.any, gap, duration,
                  walked);
    walked->values = resolve(walk, signature, literals, walked->resolved);
    walked->note = fth_state_note(&walk->state, meaning, walked->values);
    if (!walked->note)
        walk->depth = signature->depth;
}

void fth_walk_sum(struct fth_walk *walk, struct fth_call_kind *kind,
                  const struct fth_walked *walked)
{
    if (walked->note)
        return;
    fth_walk_add_to_sums(walk, walked->meaning, kind, walked->values, walked->exit,
                         walked->exit - walked->entry);
    walk->process.calls++;
}
