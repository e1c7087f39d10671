/* Locks on open file descriptions (flock, F_OFD_SETLK) of which there are several descriptors: a
 * process has copied one, or a child has those of its parent, and a program those of the one before
 * it (`flock 9` in a shell). All who have one hold such a lock at once: it keeps apart only those
 * with other descriptions. It is held until one of them gives it up by a call, or the last
 * descriptor is closed. Then it is given up by all of them: each has closed it before. */
#include "base/memory.h"
#include "order/match/match.h"
#include "order/match/match_holders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One description, and all who have it. */
struct description {
    struct fth_matching *matching;
    const struct fth_trace *trace;
    const struct fth_holders *holders;
    uint32_t root_proc, root, number;
    bool is_certain;   /* when each of them closed it is known */
    int64_t closed_at; /* by the last one */
    struct fth_order_lock *held;
    size_t held_count;
    struct fth_lock_entries *entries; /* what comes of it */
};

static bool is_of(const struct description *description, const struct fth_holder *holder)
{
    return holder->root_proc == description->root_proc && holder->root == description->root;
}

static void add(struct fth_lock_entries *entries, struct fth_lock_entry entry)
{
    FTH_GROW(entries->all, entries->count);
    entries->all[entries->count++] = entry;
}

/* Of what the entry is about, given up by another event, or at another time. */
static void add_release(const struct description *description, struct fth_lock_entry entry,
                        const struct fth_order_lock *held, int64_t time)
{
    struct fth_order_lock *lock = fth_new(1, sizeof *lock);
    *lock = *held;
    lock->acquired = lock->touches = false;
    lock->time = time;
    entry.lock = lock;
    entry.is_made = true;
    entry.description = description->number;
    struct fth_lock_entries *entries = description->entries;
    FTH_GROW(entries->made, entries->made_count);
    entries->made[entries->made_count++] = lock;
    add(entries, entry);
}

static void hold(struct description *description, struct fth_order_lock lock, uint64_t from,
                 uint64_t to)
{
    if (from >= to)
        return;
    lock.from = from;
    lock.to = to;
    FTH_GROW(description->held, description->held_count);
    description->held[description->held_count++] = lock;
}

/* What is held beside the range stays. */
static void give_up(struct description *description, const struct fth_lock_entry *entry)
{
    const struct fth_order_lock *range = entry->lock;
    size_t count = description->held_count;
    struct fth_order_lock *held = description->held;
    struct fth_lock_entry release = *entry;
    description->held = NULL;
    description->held_count = 0;
    release.event =
        fth_order_operation(&description->matching->processes[entry->proc], range->operation).begin;
    for (size_t i = 0; i < count; i++) {
        bool apart = held[i].from >= range->to || held[i].to <= range->from;
        /* whoever has the lock, and asks for the same again, gives up nothing */
        bool weakens = !range->acquired || (range->shared && !held[i].shared);
        if (apart) {
            hold(description, held[i], held[i].from, held[i].to);
            continue;
        }
        hold(description, held[i], held[i].from, range->from);
        hold(description, held[i], range->to, held[i].to);
        if (weakens)
            add_release(description, release, &held[i], range->time);
    }
    free(held);
}

static void take(struct description *description, const struct fth_lock_entry *entry)
{
    give_up(description, entry);
    if (!entry->lock->acquired)
        return;
    struct fth_lock_entry acquired = *entry;
    acquired.description = description->number;
    add(description->entries, acquired);
    hold(description, *entry->lock, entry->lock->from, entry->lock->to);
}

/* A call that closes has given it up when it ends: see `closed` of struct fth_order_lock. */
static struct fth_event left_by(struct fth_order_operation operation)
{
    return operation.flags & FTH_SYNC_COMPLETED ? operation.end : operation.begin;
}

/* The last one has closed it: whatever is held is given up, by each of them that is known to have
 * had it until then. */
static void close_last(struct description *description, const struct fth_lock_entry *entry)
{
    const struct fth_matching *matching = description->matching;
    for (size_t i = 0; i < description->holders->count; i++) {
        const struct fth_holder *holder = &description->holders->all[i];
        if (!is_of(description, holder))
            continue;
        const struct fth_order_operations *process = &matching->processes[holder->proc];
        struct fth_order_transfer end = fth_holder_end(matching, description->trace, holder);
        struct fth_lock_entry release = {
            .path = entry->path, .file = entry->file, .group = FTH_NO_GROUP, .proc = holder->proc};
        for (size_t k = 0; end.kind != FTH_TRANSFER_MAYBE_LEFT && k < description->held_count;
             k++) {
            if (end.operation != FTH_NO_OPERATION) {
                release.event = left_by(fth_order_operation(process, end.operation));
                add_release(description, release, &description->held[k], description->closed_at);
                continue;
            }
            for (uint32_t t = 0; t < process->timeline_count; t++) {
                release.event =
                    (struct fth_event){process->first_timeline + t, process->steps[t] - 1};
                add_release(description, release, &description->held[k], description->closed_at);
            }
        }
    }
}

/* Whoever may have closed it without being seen may have given up the lock. */
static void leave_unfollowed(struct description *description, const struct fth_lock_entry *entries,
                             size_t count)
{
    char means[300];
    snprintf(means, sizeof means, "a lock that several processes have on %.200s", entries->path);
    for (size_t i = 0; i < description->holders->count; i++) {
        const struct fth_holder *holder = &description->holders->all[i];
        struct fth_order_transfer end =
            fth_holder_end(description->matching, description->trace, holder);
        if (is_of(description, holder) && end.kind == FTH_TRANSFER_MAYBE_LEFT)
            fth_match_unfollowed(description->matching, means,
                                 (struct fth_unfollowed){.proc = holder->proc,
                                                         .operation = end.operation,
                                                         .start = end.start,
                                                         .end = end.end,
                                                         .releases = true});
    }
    for (size_t i = 0; i < count; i++)
        if (entries[i].lock->acquired)
            fth_match_unfollowed(description->matching, means,
                                 (struct fth_unfollowed){.proc = entries[i].proc,
                                                         .operation = entries[i].lock->operation,
                                                         .start = entries[i].lock->time,
                                                         .end = entries[i].lock->time,
                                                         .acquires = true});
}

/* ---- which description ---- */

static const struct fth_holder *holder_of(const struct fth_matching *matching,
                                          const struct fth_holders *holders,
                                          const struct fth_lock_entry *entry)
{
    const struct fth_order_operations *process = &matching->processes[entry->proc];
    const struct fth_order_lock *lock = entry->lock;
    bool is_of_description =
        lock->space == FTH_LOCK_OF_FILE || lock->space == FTH_LOCK_OF_DESCRIPTION;
    if (!holders->shares_locked || !is_of_description || lock->descriptor == UINT32_MAX)
        return NULL;
    for (size_t i = holders->firsts[entry->proc]; i < holders->firsts[entry->proc + 1]; i++)
        if (holders->all[i].own == &process->descriptors.all[lock->descriptor])
            return &holders->all[i];
    return NULL;
}

/* False: there is only one descriptor of it, or nobody knows who opened it. */
static bool is_shared(struct description *description)
{
    const struct fth_order_operations *opener =
        &description->matching->processes[description->root_proc];
    bool any = false;
    description->is_certain = true;
    description->closed_at = INT64_MIN;
    for (size_t i = 0; i < description->holders->count; i++) {
        const struct fth_holder *holder = &description->holders->all[i];
        if (!is_of(description, holder))
            continue;
        struct fth_order_transfer end =
            fth_holder_end(description->matching, description->trace, holder);
        any |= !fth_holder_is_root(description->matching, holder);
        description->is_certain &= end.kind != FTH_TRANSFER_MAYBE_LEFT;
        if (end.kind != FTH_TRANSFER_MAYBE_LEFT && end.start > description->closed_at)
            description->closed_at = end.start;
    }
    return any && !opener->descriptors.all[description->root].was_there;
}

/* All entries of one description, from `first` on, become those of its holders. */
static void follow(struct description *description, const struct fth_lock_entry *entries,
                   size_t count, bool *taken)
{
    size_t first = count;
    for (size_t i = 0; i < count; i++) {
        const struct fth_holder *holder =
            taken[i] ? NULL : holder_of(description->matching, description->holders, &entries[i]);
        if (!holder || !is_of(description, holder))
            continue;
        taken[i] = true;
        first = first == count ? i : first;
        if (entries[i].lock->acquired || entries[i].lock->touches)
            take(description, &entries[i]);
    }
    close_last(description, &entries[first]);
    free(description->held);
}

struct fth_lock_entries fth_match_shared_locks(struct fth_matching *matching,
                                               const struct fth_trace *trace,
                                               const struct fth_holders *holders,
                                               const struct fth_lock_entry *entries, size_t count)
{
    struct fth_lock_entries found = {0};
    bool *taken = fth_new(count + 1, sizeof *taken);
    uint32_t descriptions = 0;
    const struct fth_holder *alone = NULL; /* the last one with one descriptor */
    for (size_t i = 0; i < count; i++) {
        const struct fth_holder *holder =
            taken[i] ? NULL : holder_of(matching, holders, &entries[i]);
        struct description description = {
            .matching = matching, .trace = trace, .holders = holders, .entries = &found};
        if (!holder)
            continue;
        description.root_proc = holder->root_proc;
        description.root = holder->root;
        if ((alone && is_of(&description, alone)) || !is_shared(&description)) {
            alone = holder;
            continue;
        }
        description.number = ++descriptions;
        follow(&description, entries, count, taken);
        if (!description.is_certain)
            leave_unfollowed(&description, entries, count);
    }
    for (size_t i = 0; i < count; i++)
        if (!taken[i])
            add(&found, entries[i]);
    free(taken);
    return found;
}

void fth_match_free_entries(struct fth_lock_entries *entries)
{
    for (size_t i = 0; i < entries->made_count; i++)
        free(entries->made[i]);
    free(entries->made);
    free(entries->all);
}
