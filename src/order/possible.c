/* Some ways of notifying another process cannot be followed: shared memory, a server that was
 * not recorded, datagrams, memory that threads share. It is unknown what depends on
 * them. So there are clocks of a second kind: besides everything that certainly came before,
 * they include everything that *may* have, as far as the times of calls allow. A process that
 * uses such a means *releases* what it did until then to others, or *acquires* what they did
 * until then; with shared memory, each access to a file does both. If two accesses are
 * unordered even so, nothing ordered them. */
#include "order/possible.h"
#include "base/intern.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* A moment at which a process releases or acquires through some means. */
struct contact {
    uint32_t means, proc;
    struct fth_event event;
    int64_t time;
    bool releases;
};

struct contacts {
    struct contact *all;
    size_t count;
    struct fth_intern means;
};

/* ---- what there is ---- */

static uint32_t means_of(struct contacts *contacts, const char *text)
{
    return fth_intern(&contacts->means, text, strlen(text) + 1);
}

static void add(struct contacts *contacts, struct contact contact)
{
    FTH_GROW(contacts->all, contacts->count);
    contacts->all[contacts->count++] = contact;
}

/* The end of a process releases what all its threads did. */
static void add_end(struct contacts *contacts, const struct fth_matching *matching,
                    const struct fth_unfollowed *end, uint32_t means)
{
    const struct fth_order_operations *process = &matching->processes[end->proc];
    for (uint32_t i = 0; i < process->timeline_count; i++)
        add(contacts, (struct contact){means,
                                       end->proc,
                                       {process->first_timeline + i, process->steps[i] - 1},
                                       end->start,
                                       true});
}

/* Calls that use a means: one releases when it begins, and acquires when it has returned. */
static void add_calls(struct contacts *contacts, const struct fth_matching *matching)
{
    for (size_t i = 0; i < matching->unfollowed_count; i++) {
        const struct fth_unfollowed *call = &matching->unfollowed[i];
        struct fth_event begin = call->release, end = call->acquire;
        uint32_t means = means_of(contacts, fth_match_means(matching, call->means));
        if (!call->is_named && call->operation == FTH_NO_OPERATION) {
            add_end(contacts, matching, call, means);
            continue;
        }
        if (!call->is_named) {
            struct fth_order_operation operation =
                fth_order_operation(&matching->processes[call->proc], call->operation);
            begin = operation.begin, end = operation.end;
        }
        if (call->releases)
            add(contacts, (struct contact){means, call->proc, begin, call->start, true});
        if (call->acquires && end.timeline != FTH_NO_TIMELINE)
            add(contacts, (struct contact){means, call->proc, end, call->end, false});
    }
}

/* Things that are shared: at each access. */
static void add_shares(struct contacts *contacts, const struct fth_matching *matching,
                       const struct fth_shared *shared)
{
    for (size_t i = 0; i < shared->count; i++) {
        const struct fth_shared_thing *share = &shared->shares[i];
        const struct fth_order_operations *process = &matching->processes[share->proc];
        /* things of one text are kept apart: "memory" of two kinds is no connection */
        char key[32];
        uint32_t means =
            fth_intern(&contacts->means, key, (size_t)(sprintf(key, "\001%u", share->thing) + 1));
        for (size_t k = 0; k < process->possible.touch_count; k++) {
            const struct fth_order_touch *touch = &process->possible.touches[k];
            if (touch->releases ? touch->time <= share->releases_until
                                : touch->time >= share->acquires_from)
                add(contacts, (struct contact){means, share->proc, touch->event, touch->time,
                                               touch->releases});
        }
    }
}

/* ---- edges ---- */

static int by_means_and_time(const void *one, const void *other)
{
    const struct contact *a = one, *b = other;
    if (a->means != b->means)
        return a->means < b->means ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->releases == b->releases ? 0
           : a->releases              ? 1
                                      : -1; /* times are rounded: no notice is that fast */
}

/* Clocks of nodes differ: an acquisition on one may be of a release that, by the clock of the
 * other, came a little later. */
static int64_t slack_of(const struct fth_matching *matching)
{
    enum { NOT_KNOWN = 100000000 };
    int64_t most = 0;
    for (size_t i = 0; i < matching->process_count; i++) {
        int64_t error = matching->processes[i].clock_error;
        if (matching->processes[i].host != matching->processes[0].host)
            most = error < 0 ? NOT_KNOWN : error > most ? error : most;
    }
    return most;
}

/* A time in a damaged trace may be the last one there is. */
static int64_t later_by(int64_t time, int64_t more)
{
    return time <= INT64_MAX - more ? time + more : INT64_MAX;
}

static bool of_several(const struct contact *contacts, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (contacts[i].event.timeline != contacts[0].event.timeline)
            return true;
    return false;
}

/* Those of one means, in order of time: who acquires knows all that was released before. */
static void join_contacts(struct fth_clocks *clocks, const struct contact *contacts, size_t count)
{
    uint32_t hub = UINT32_MAX;
    for (size_t i = 0, next = 0; i < count; i++) {
        if (contacts[i].releases)
            continue;
        bool any = false;
        for (size_t k = next; k < i; k++)
            any |= contacts[k].releases;
        if (any) {
            hub = fth_clocks_hub(clocks, hub != UINT32_MAX);
            for (; next < i; next++)
                if (contacts[next].releases)
                    fth_clocks_into(clocks, contacts[next].event);
        }
        next = i;
        if (hub != UINT32_MAX)
            fth_clocks_out_of(clocks, hub, contacts[i].event);
    }
}

/* Threads of one process share its memory: each may know what the others did before. */
static void join_threads(struct fth_clocks *clocks, const struct fth_order_operations *process)
{
    uint32_t hub = UINT32_MAX;
    bool fresh = true;
    for (size_t i = 0; i < process->possible.pool_count; i++) {
        const struct fth_order_pooled *pooled = &process->possible.pool[i];
        if (pooled->releases) {
            if (fresh)
                hub = fth_clocks_hub(clocks, hub != UINT32_MAX);
            fresh = false;
            fth_clocks_into(clocks, pooled->event);
        } else if (hub != UINT32_MAX) {
            fth_clocks_out_of(clocks, hub, pooled->event);
            fresh = true;
        }
    }
}

static void ignore_circle(void *context, struct fth_event waiting)
{
    (void)context, (void)waiting;
}

struct fth_clocks *fth_possible_clocks(const struct fth_matching *matching,
                                       const struct fth_shared *shared)
{
    struct contacts contacts = {.all = NULL};
    size_t pooled = 0;
    add_calls(&contacts, matching);
    add_shares(&contacts, matching, shared);
    for (size_t i = 0; i < matching->process_count; i++)
        pooled += matching->processes[i].possible.pool_count;
    if (!contacts.count && !pooled) {
        fth_intern_free(&contacts.means);
        return NULL;
    }
    struct fth_clocks *clocks = fth_clocks_copy(matching->clocks);
    for (size_t i = 0; i < matching->process_count; i++)
        join_threads(clocks, &matching->processes[i]);
    int64_t slack = slack_of(matching);
    for (size_t i = 0; i < contacts.count; i++)
        if (!contacts.all[i].releases)
            contacts.all[i].time = later_by(contacts.all[i].time, slack);
    if (contacts.count)
        qsort(contacts.all, contacts.count, sizeof *contacts.all, by_means_and_time);
    for (size_t from = 0, to = 0; from < contacts.count; from = to) {
        while (to < contacts.count && contacts.all[to].means == contacts.all[from].means)
            to++;
        if (of_several(contacts.all + from, to - from))
            join_contacts(clocks, contacts.all + from, to - from);
    }
    fth_intern_free(&contacts.means);
    free(contacts.all);
    fth_clocks_compute(clocks, ignore_circle, NULL);
    return clocks;
}

/* ---- for people ---- */

static int by_means_and_process(const void *one, const void *other)
{
    const struct fth_possible_use *a = one, *b = other;
    if (a->means != b->means)
        return a->means < b->means ? -1 : 1;
    return (a->proc > b->proc) - (a->proc < b->proc);
}

static void add_use(struct fth_possible_uses *uses, const char *text, struct fth_possible_use use)
{
    use.means = fth_intern(&uses->means, text, strlen(text) + 1);
    FTH_GROW(uses->all, uses->count);
    uses->all[uses->count++] = use;
}

struct fth_possible_uses fth_possible_uses_of(const struct fth_matching *matching,
                                              const struct fth_shared *shared)
{
    struct fth_possible_uses uses = {.all = NULL};
    for (size_t i = 0; i < matching->unfollowed_count; i++) {
        const struct fth_unfollowed *call = &matching->unfollowed[i];
        add_use(&uses, fth_match_means(matching, call->means),
                (struct fth_possible_use){0, call->proc, call->start, call->end});
    }
    for (size_t i = 0; i < shared->count; i++) {
        const struct fth_shared_thing *share = &shared->shares[i];
        bool only_releases = share->acquires_from == INT64_MAX;
        add_use(&uses, shared->things[share->thing],
                (struct fth_possible_use){0, share->proc, only_releases ? 0 : share->acquires_from,
                                          only_releases ? share->releases_until : INT64_MAX});
    }
    size_t kept = 0;
    if (uses.count)
        qsort(uses.all, uses.count, sizeof *uses.all, by_means_and_process);
    for (size_t i = 0; i < uses.count; i++) {
        struct fth_possible_use *last = kept ? &uses.all[kept - 1] : NULL, *use = &uses.all[i];
        if (!last || by_means_and_process(last, use) != 0) {
            uses.all[kept++] = *use;
            continue;
        }
        last->first = use->first < last->first ? use->first : last->first;
        last->last = use->last > last->last ? use->last : last->last;
    }
    uses.count = kept;
    return uses;
}

void fth_possible_uses_free(struct fth_possible_uses *uses)
{
    fth_intern_free(&uses->means);
    free(uses->all);
}
