/* Threads of one process: a thread begins behind the call that created it, and is over before the
 * one that joined it returned; nobody leaves a barrier before all have come; who finds a request
 * complete that another thread completes comes behind that. */
#include "base/memory.h"
#include "order/match/match.h"

/* ---- created and joined ---- */

/* A deed that created a thread, and the strand that this is. */
struct creation {
    uint32_t strand, call, deed;
    uint32_t made; /* FTH_NO_STRAND: one that made no call, or several */
    bool several;
};

static int by_call(const void *one, const void *other)
{
    const struct creation *a = one, *b = other;
    if (a->strand != b->strand)
        return a->strand < b->strand ? -1 : 1;
    return (a->call > b->call) - (a->call < b->call);
}

static int by_deed(const void *one, const void *other)
{
    const struct creation *a = one, *b = other;
    return (a->deed > b->deed) - (a->deed < b->deed);
}

/* Those of a process, by call. */
static struct creation *creations_of(const struct fth_order_deeds *process, size_t *count)
{
    struct creation *creations = NULL;
    *count = 0;
    for (uint32_t i = 0; i < process->deed_count; i++) {
        struct fth_order_deed deed = fth_order_deed(process, i);
        if (deed.kind != FTH_DEED_CREATE)
            continue;
        FTH_GROW(creations, *count);
        creations[(*count)++] =
            (struct creation){deed.begin.strand, deed.call, i, FTH_NO_STRAND, false};
    }
    if (*count)
        qsort(creations, *count, sizeof *creations, by_call);
    return creations;
}

static void begin_threads(const struct fth_matching *matching,
                          const struct fth_order_deeds *process, struct creation *creations,
                          size_t count)
{
    for (uint32_t i = 0; i < process->strand_count; i++) {
        const struct fth_order_starter *starter = &process->starters[i];
        if (starter->thread >= process->strand_count || starter->call >= UINT32_MAX)
            continue;
        struct creation wanted = {process->first_strand + starter->thread, (uint32_t)starter->call,
                                  0, 0, false};
        struct creation *found = bsearch(&wanted, creations, count, sizeof *creations, by_call);
        if (!found)
            continue;
        found->several = found->made != FTH_NO_STRAND;
        found->made = process->first_strand + i;
        fth_clocks_edge(matching->clocks, fth_order_deed(process, found->deed).begin,
                        (struct fth_event){found->made, 0});
    }
}

static void end_threads(const struct fth_matching *matching, const struct fth_order_deeds *process,
                        struct creation *creations, size_t count)
{
    qsort(creations, count, sizeof *creations, by_deed);
    for (uint32_t i = 0; i < process->deed_count; i++) {
        struct fth_order_deed deed = fth_order_deed(process, i);
        if (deed.kind != FTH_DEED_JOIN)
            continue;
        struct creation wanted = {.deed = (uint32_t)deed.peer};
        const struct creation *found =
            bsearch(&wanted, creations, count, sizeof *creations, by_deed);
        if (!found || found->several || found->made == FTH_NO_STRAND)
            continue;
        uint32_t steps = process->steps[found->made - process->first_strand];
        fth_clocks_edge(matching->clocks, (struct fth_event){found->made, steps - 1}, deed.end);
    }
}

/* ---- barriers ---- */

struct meeting {
    uint32_t number;
    struct fth_order_deed deed; /* `peer` is the slot */
    int64_t start, end;
};

static int by_slot_and_start(const void *one, const void *other)
{
    const struct meeting *a = one, *b = other;
    if (a->deed.peer != b->deed.peer)
        return a->deed.peer < b->deed.peer ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool all_meet(const struct meeting *meetings, size_t count)
{
    int64_t last = INT64_MIN, first = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        last = meetings[i].start > last ? meetings[i].start : last;
        first = meetings[i].end < first ? meetings[i].end : first;
    }
    return last <= first;
}

/* One thread of each turn is picked out, so there are as many turns as such calls; who comes to the
 * next turn has left the one before. */
static void one_barrier(struct fth_matching *matching, uint32_t proc,
                        const struct meeting *meetings, size_t count)
{
    size_t turns = 0;
    for (size_t i = 0; i < count; i++)
        turns += meetings[i].deed.tag != 0;
    size_t size = turns ? count / turns : 0;
    bool fits = turns && count % turns == 0;
    for (size_t from = 0; fits && from < count; from += size)
        fits = all_meet(meetings + from, size);
    if (!fits) {
        matching->find(matching->context, FTH_ORDER_UNORDERED, proc, &meetings[0].deed,
                       "it is not known who met at the barrier");
        return;
    }
    for (size_t from = 0; from < count; from += size) {
        uint32_t hub = fth_clocks_hub(matching->clocks, false);
        for (size_t i = from; i < from + size; i++)
            fth_clocks_into(matching->clocks, meetings[i].deed.begin);
        for (size_t i = from; i < from + size; i++)
            fth_clocks_out_of(matching->clocks, hub, meetings[i].deed.end);
    }
}

static void barriers(struct fth_matching *matching, uint32_t proc)
{
    const struct fth_order_deeds *process = &matching->processes[proc];
    struct meeting *meetings = fth_new(process->meeting_count + 1, sizeof *meetings);
    for (size_t i = 0; i < process->meeting_count; i++) {
        const struct fth_order_meeting *meeting = &process->meetings[i];
        meetings[i] = (struct meeting){meeting->deed, fth_order_deed(process, meeting->deed),
                                       meeting->start, meeting->end};
    }
    qsort(meetings, process->meeting_count, sizeof *meetings, by_slot_and_start);
    for (size_t from = 0, to = 0; from < process->meeting_count; from = to) {
        while (to < process->meeting_count && meetings[to].deed.peer == meetings[from].deed.peer)
            to++;
        one_barrier(matching, proc, meetings + from, to - from);
    }
    free(meetings);
}

/* ---- requests of the program's own making ---- */

static void end_requests(const struct fth_matching *matching, const struct fth_order_deeds *process)
{
    for (uint32_t i = 0; i < process->deed_count; i++) {
        struct fth_order_deed deed = fth_order_deed(process, i);
        if (deed.kind == FTH_DEED_REQUEST && deed.flags & FTH_DEED_COMPLETED)
            fth_clocks_edge(matching->clocks, deed.begin, deed.end);
    }
}

void fth_match_threads(struct fth_matching *matching)
{
    for (uint32_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_deeds *process = &matching->processes[i];
        size_t count;
        struct creation *creations = process->starters ? creations_of(process, &count) : NULL;
        if (creations) {
            begin_threads(matching, process, creations, count);
            end_threads(matching, process, creations, count);
        }
        free(creations);
        if (process->meeting_count)
            barriers(matching, i);
        end_requests(matching, process);
    }
}
