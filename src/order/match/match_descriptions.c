/* Open file descriptions that several processes have, as a child has those of its parent: their
 * locks of flock and of open file descriptions are held by all of them at once, and given up by
 * any. Such a lock keeps nobody apart who has the description, and when it was given up is not
 * known: it orders nothing. */
#include "base/memory.h"
#include "order/match/match.h"

enum { MOST_COMPARED = 1 << 12 };

/* A descriptor of a process through which locks of one file were asked for. */
struct holder {
    uint32_t proc;
    uint64_t handle;
    int64_t opened;
    bool inherited, shared;
};

static int by_process_and_handle(const void *one, const void *other)
{
    const struct holder *a = one, *b = other;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    return (a->handle > b->handle) - (a->handle < b->handle);
}

static bool is_ancestor(const struct fth_trace *trace, uint32_t proc, uint32_t of)
{
    int64_t parent = fth_trace_process(trace, of)->parent_proc;
    for (int64_t before = of; parent >= 0 && parent < before;
         before = parent, parent = fth_trace_process(trace, (size_t)parent)->parent_proc)
        if (parent == proc)
            return true;
    return false;
}

/* What a process has inherited was opened by one of those that it comes from, before it began. */
static bool may_be_one(const struct fth_trace *trace, const struct holder *one,
                       const struct holder *other)
{
    if (one->proc == other->proc || (!one->inherited && !other->inherited))
        return false;
    if (one->inherited && other->inherited)
        return true;
    const struct holder *child = one->inherited ? one : other, *owner = child == one ? other : one;
    return is_ancestor(trace, owner->proc, child->proc) &&
           owner->opened <= fth_trace_process(trace, child->proc)->start;
}

static void find_shared(const struct fth_trace *trace, struct holder *holders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!holders[i].inherited)
            continue;
        holders[i].shared |= count > MOST_COMPARED;
        for (size_t k = 0; k < count; k++)
            if (count > MOST_COMPARED || may_be_one(trace, &holders[i], &holders[k]))
                holders[i].shared = holders[k].shared = true;
    }
}

static struct holder holder_of(const struct fth_lock_entry *entry)
{
    const struct fth_order_lock *lock = entry->lock;
    return (struct holder){entry->proc, lock->handle, lock->opened, lock->inherited, false};
}

static bool is_of_description(const struct fth_lock_entry *entry)
{
    return !entry->description && (entry->lock->space == FTH_LOCK_OF_FILE ||
                                   entry->lock->space == FTH_LOCK_OF_DESCRIPTION);
}

/* Most files are locked by those only who have opened them. */
static bool any_inherited(const struct fth_lock_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].lock->touches ||
            (is_of_description(&entries[i]) && entries[i].lock->inherited))
            return true;
    return false;
}

size_t fth_match_without_shared_descriptions(const struct fth_trace *trace,
                                             struct fth_lock_entry *entries, size_t count)
{
    if (!any_inherited(entries, count))
        return count;
    struct holder *holders = fth_new(count, sizeof *holders);
    size_t all = 0, different = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_of_description(&entries[i]))
            holders[all++] = holder_of(&entries[i]);
    qsort(holders, all, sizeof *holders, by_process_and_handle);
    for (size_t i = 0; i < all; i++)
        if (!different || by_process_and_handle(&holders[different - 1], &holders[i]) != 0)
            holders[different++] = holders[i];
    find_shared(trace, holders, different);
    for (size_t i = 0; i < count; i++) {
        struct holder sought = holder_of(&entries[i]);
        const struct holder *holder =
            is_of_description(&entries[i])
                ? bsearch(&sought, holders, different, sizeof sought, by_process_and_handle)
                : NULL;
        if (!entries[i].lock->touches && !(holder && holder->shared))
            entries[kept++] = entries[i];
    }
    free(holders);
    return kept;
}
