/* Locks: who held a lock came before all that was done under the next one that conflicts with it.
 * Which came first is what was observed: two of them were never held at once, so it is enough to
 * know when one was held, up to how well the clocks of two hosts agree. */
#include "base/intern.h"
#include "base/memory.h"
#include "order/match/match.h"
#include "order/match/match_holders.h"

#include <stdio.h>
#include <string.h>

enum { MOST_RELEASED = 4096 /* that are looked through for an acquisition */ };

static int space_of(const struct fth_lock_entry *entry)
{
    return entry->lock->space == FTH_LOCK_OF_FILE; /* the other two know of each other */
}

/* By what they lock: a file, a window, or what a process has for its threads. */
static int by_object(const struct fth_lock_entry *a, const struct fth_lock_entry *b)
{
    if (!a->path != !b->path)
        return a->path ? -1 : 1;
    if (!a->path && a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (!a->path && a->group != FTH_NO_GROUP)
        return 0;
    if (!a->path && a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    if (!a->path)
        return (a->lock->file > b->lock->file) - (a->lock->file < b->lock->file);
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    int path = a->file == FTH_NO_FILE ? strcmp(a->path, b->path) : 0;
    return path ? path : space_of(a) - space_of(b);
}

/* Of one process, at the same time. Those that were made of others are all over the memory, in
 * another order each time. */
static int by_event(const struct fth_lock_entry *a, const struct fth_lock_entry *b)
{
    if (a->is_made != b->is_made)
        return a->is_made ? 1 : -1;
    if (!a->is_made)
        return (a->lock > b->lock) - (a->lock < b->lock);
    if (a->event.timeline != b->event.timeline)
        return a->event.timeline < b->event.timeline ? -1 : 1;
    if (a->event.step != b->event.step)
        return a->event.step < b->event.step ? -1 : 1;
    if (a->description != b->description)
        return a->description < b->description ? -1 : 1;
    if (a->lock->from != b->lock->from)
        return a->lock->from < b->lock->from ? -1 : 1;
    return (a->lock->to > b->lock->to) - (a->lock->to < b->lock->to);
}

/* By object and time; a release before an acquisition at the same time. */
static int by_object_and_time(const void *one, const void *other)
{
    const struct fth_lock_entry *a = one, *b = other;
    int object = by_object(a, b);
    if (object)
        return object;
    if (a->lock->time != b->lock->time)
        return a->lock->time < b->lock->time ? -1 : 1;
    if (a->lock->acquired != b->lock->acquired)
        return a->lock->acquired - b->lock->acquired;
    return a->proc != b->proc ? (a->proc > b->proc) - (a->proc < b->proc) : by_event(a, b);
}

/* Do the clocks show that it was in this order? */
static bool is_certain(const struct fth_matching *matching, const struct fth_lock_entry *released,
                       const struct fth_lock_entry *acquired)
{
    /* times are rounded: of two at the same time nobody knows */
    if (!released->path && released->lock->time >= acquired->lock->time)
        return false;
    const struct fth_order_operations *one = &matching->processes[released->proc],
                                      *other = &matching->processes[acquired->proc];
    if (one->host == other->host)
        return true;
    if (one->clock_error < 0 || other->clock_error < 0)
        return false;
    return (__int128)acquired->lock->time - released->lock->time >
           (__int128)one->clock_error + other->clock_error;
}

static bool conflict(const struct fth_order_lock *one, const struct fth_order_lock *other)
{
    return one->from < other->to && other->from < one->to && !(one->shared && other->shared);
}

/* What gives the lock up. */
static struct fth_event release_of(const struct fth_matching *matching,
                                   const struct fth_lock_entry *entry)
{
    if (entry->is_made)
        return entry->event;
    struct fth_order_operation operation =
        fth_order_operation(&matching->processes[entry->proc], entry->lock->operation);
    return entry->lock->closed ? operation.end : operation.begin;
}

static uint32_t timeline_of(const struct fth_matching *matching, const struct fth_lock_entry *entry)
{
    return release_of(matching, entry).timeline;
}

/* Is what came before the one known to whoever comes after the other? */
static bool replaces(const struct fth_matching *matching, const struct fth_lock_entry *newer,
                     const struct fth_lock_entry *older)
{
    struct fth_event last = release_of(matching, newer), first = release_of(matching, older);
    bool is_behind =
        newer->proc == older->proc && last.timeline == first.timeline && last.step >= first.step;
    return is_behind && newer->lock->from <= older->lock->from &&
           newer->lock->to >= older->lock->to && (older->lock->shared || !newer->lock->shared);
}

/* A lock of threads belongs to a thread, others to a process, or to a description. */
static bool is_of_another(const struct fth_matching *matching, const struct fth_lock_entry *one,
                          const struct fth_lock_entry *other)
{
    if (one->description || other->description)
        return one->description != other->description;
    if (one->lock->space != FTH_LOCK_OF_THREADS || one->proc != other->proc)
        return one->proc != other->proc;
    return timeline_of(matching, one) != timeline_of(matching, other);
}

/* ---- who comes after whom ---- */

static void acquire(struct fth_matching *matching, const struct fth_lock_entry *acquired,
                    const struct fth_lock_entry **released, size_t *count)
{
    const struct fth_order_operations *process = &matching->processes[acquired->proc];
    bool takes_over = (process->timeline_count == 1 || !acquired->path) &&
                      !acquired->lock->shared && !acquired->description;
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        const struct fth_lock_entry *before = released[i];
        bool certain = is_of_another(matching, before, acquired) &&
                       conflict(before->lock, acquired->lock) &&
                       is_certain(matching, before, acquired);
        if (certain)
            fth_clocks_edge(matching->clocks, release_of(matching, before),
                            fth_order_operation(process, acquired->lock->operation).end);
        /* whoever comes after this one comes after that one, too */
        if (!(certain && takes_over && acquired->lock->from <= before->lock->from &&
              acquired->lock->to >= before->lock->to))
            released[kept++] = before;
    }
    *count = kept;
}

static void release(struct fth_matching *matching, const struct fth_lock_entry *entry,
                    const struct fth_lock_entry **released, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (!replaces(matching, entry, released[i]))
            released[kept++] = released[i];
    if (kept == MOST_RELEASED) {
        kept--;
        memmove(released, released + 1, kept * sizeof *released);
    }
    released[kept++] = entry;
    *count = kept;
}

static void one_file(struct fth_matching *matching, const struct fth_lock_entry *entries,
                     size_t count)
{
    if (!count)
        return;
    const struct fth_lock_entry **released = fth_new(MOST_RELEASED, sizeof *released);
    size_t released_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].lock->acquired)
            acquire(matching, &entries[i], released, &released_count);
        else
            release(matching, &entries[i], released, &released_count);
    }
    free(released);
}

/* Who asks whether there is a lock, or is refused one, may learn of any that was acquired or given
 * up; and where it is not known which bytes were locked, each may be the lock that another one
 * waited for. Returns how many entries are left, without these calls. */
static size_t leave_unfollowed(struct fth_matching *matching, struct fth_lock_entry *entries,
                               size_t count)
{
    char means[300];
    bool asks = false, vague = false;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        asks |= entries[i].lock->asks;
        vague |= entries[i].lock->vague;
    }
    for (size_t i = 0; (asks || vague) && i < count; i++) {
        const struct fth_order_lock *lock = entries[i].lock;
        snprintf(means, sizeof means, "%s %.200s",
                 vague ? "locks of bytes that are not known in" : "who has a lock on",
                 entries[0].path);
        fth_match_unfollowed(
            matching, means,
            (struct fth_unfollowed){.proc = entries[i].proc,
                                    .operation = lock->operation,
                                    .start = lock->acquired ? lock->since : lock->time,
                                    .end = lock->time,
                                    .releases = !lock->asks,
                                    .acquires = lock->asks || (vague && lock->acquired)});
    }
    for (size_t i = 0; i < count; i++)
        if (!entries[i].lock->asks && !entries[i].lock->vague)
            entries[kept++] = entries[i];
    return kept;
}

static void one_path(struct fth_matching *matching, const struct fth_trace *trace,
                     const struct fth_holders *holders, struct fth_lock_entry *entries,
                     size_t count)
{
    count = leave_unfollowed(matching, entries, count);
    struct fth_lock_entries shared =
        fth_match_shared_locks(matching, trace, holders, entries, count);
    if (shared.count) {
        qsort(shared.all, shared.count, sizeof *shared.all, by_object_and_time);
        fth_match_kept_locks(matching, trace, shared.all, shared.count);
        one_file(matching, shared.all,
                 fth_match_without_shared_descriptions(trace, shared.all, shared.count));
    }
    fth_match_free_entries(&shared);
}

static void report_unknown_ranges(struct fth_matching *matching)
{
    for (size_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        bool locks =
            process->locks.count && fth_order_operations_have(process, FTH_SYNC_BIT(FTH_SYNC_LOCK));
        for (uint32_t k = 0; locks && k < process->operation_count; k++) {
            struct fth_order_operation operation = fth_order_operation(process, k);
            if (operation.kind == FTH_SYNC_LOCK && operation.flags & FTH_SYNC_FREED)
                matching->find(matching->context, FTH_ORDER_UNORDERED, i, &operation,
                               "the range of the lock is relative to a place that is not known");
        }
    }
}

static uint32_t file_of(const struct fth_matching *matching, uint32_t proc,
                        const struct fth_order_lock *lock)
{
    const struct fth_order_options *options = &matching->options;
    return options->file_of ? options->file_of(options->file_context, proc, lock->original)
                            : FTH_NO_FILE;
}

void fth_match_locks(struct fth_matching *matching, const struct fth_trace *trace)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    size_t count = 0, at = 0;
    bool exact = true;
    for (size_t i = 0; i < matching->process_count; i++)
        count += matching->processes[i].locks.count;
    struct fth_lock_entry *entries = fth_new(count + 1, sizeof *entries);
    for (uint32_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        for (size_t k = 0; k < process->locks.count; k++) {
            const struct fth_order_lock *lock = &process->locks.all[k];
            struct fth_lock_entry entry = {.group = FTH_NO_GROUP, .lock = lock, .proc = i};
            if (lock->space == FTH_LOCK_OF_WINDOW)
                entry.group = process->mpi.members[lock->file].group;
            else if (lock->space != FTH_LOCK_OF_THREADS) {
                entry.path = process->locks.files[lock->file];
                entry.file = file_of(matching, i, lock);
            }
            if (lock->space != FTH_LOCK_OF_WINDOW || entry.group != FTH_NO_GROUP)
                entries[at++] = entry;
        }
        if (process->locks.count && (info->times_are_means || info->time_percent)) {
            struct fth_order_operation operation =
                fth_order_operation(process, process->locks.all[0].operation);
            matching->find(matching->context, FTH_ORDER_UNORDERED, i, &operation,
                           "times were not kept exactly, so the order of the locks is unknown");
            exact = false;
        }
    }
    count = exact ? at : 0;
    qsort(entries, count, sizeof *entries, by_object_and_time);
    struct fth_holders holders = fth_holders_of(matching, trace);
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && by_object(&entries[from], &entries[to]) == 0)
            to++;
        if (entries[from].path)
            one_path(matching, trace, &holders, entries + from, to - from);
        else
            one_file(matching, entries + from, to - from);
    }
    fth_holders_free(&holders);
    report_unknown_ranges(matching);
    free(entries);
}
