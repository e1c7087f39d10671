/* Threads of one process. A thread begins after the call that created it, and ends before the
 * call that joined it returns. No thread leaves a barrier before all have arrived. A thread
 * that finds a request complete comes after the thread that completed it. */
#include "base/memory.h"
#include "order/match/match.h"

/* ---- created and joined ---- */

/* A operation that created a thread, and the timeline that this is. */
struct creation {
    uint32_t timeline, call, operation;
    uint32_t made; /* FTH_NO_TIMELINE: one that made no call, or several */
    bool several;
};

static int by_call(const void *one, const void *other)
{
    const struct creation *a = one, *b = other;
    if (a->timeline != b->timeline)
        return a->timeline < b->timeline ? -1 : 1;
    return (a->call > b->call) - (a->call < b->call);
}

static int by_operation(const void *one, const void *other)
{
    const struct creation *a = one, *b = other;
    return (a->operation > b->operation) - (a->operation < b->operation);
}

/* Those of a process, by call. */
static struct creation *creations_of(const struct fth_order_operations *process, size_t *count)
{
    struct creation *creations = NULL;
    *count = 0;
    for (uint32_t i = 0; i < process->operation_count; i++) {
        struct fth_order_operation operation = fth_order_operation(process, i);
        if (operation.kind != FTH_SYNC_CREATE)
            continue;
        FTH_GROW(creations, *count);
        creations[(*count)++] =
            (struct creation){operation.begin.timeline, operation.call, i, FTH_NO_TIMELINE, false};
    }
    if (*count)
        qsort(creations, *count, sizeof *creations, by_call);
    return creations;
}

static void begin_threads(const struct fth_matching *matching,
                          const struct fth_order_operations *process, struct creation *creations,
                          size_t count)
{
    for (uint32_t i = 0; i < process->timeline_count; i++) {
        const struct fth_order_starter *starter = &process->starters[i];
        if (starter->thread >= process->timeline_count || starter->call >= UINT32_MAX)
            continue;
        struct creation wanted = {process->first_timeline + starter->thread,
                                  (uint32_t)starter->call, 0, 0, false};
        struct creation *found = bsearch(&wanted, creations, count, sizeof *creations, by_call);
        if (!found)
            continue;
        found->several = found->made != FTH_NO_TIMELINE;
        found->made = process->first_timeline + i;
        fth_clocks_edge(matching->clocks, fth_order_operation(process, found->operation).begin,
                        (struct fth_event){found->made, 0});
    }
}

static void end_threads(const struct fth_matching *matching,
                        const struct fth_order_operations *process, struct creation *creations,
                        size_t count)
{
    qsort(creations, count, sizeof *creations, by_operation);
    for (uint32_t i = 0; i < process->operation_count; i++) {
        struct fth_order_operation operation = fth_order_operation(process, i);
        if (operation.kind != FTH_SYNC_JOIN)
            continue;
        struct creation wanted = {.operation = (uint32_t)operation.peer};
        const struct creation *found =
            bsearch(&wanted, creations, count, sizeof *creations, by_operation);
        if (!found || found->several || found->made == FTH_NO_TIMELINE)
            continue;
        uint32_t steps = process->steps[found->made - process->first_timeline];
        fth_clocks_edge(matching->clocks, (struct fth_event){found->made, steps - 1},
                        operation.end);
    }
}

/* ---- barriers ---- */

struct meeting {
    uint32_t number;
    struct fth_order_operation operation; /* `peer` is the slot */
    int64_t start, end;
};

static int by_slot_and_start(const void *one, const void *other)
{
    const struct meeting *a = one, *b = other;
    if (a->operation.peer != b->operation.peer)
        return a->operation.peer < b->operation.peer ? -1 : 1;
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
        turns += meetings[i].operation.tag != 0;
    size_t size = turns ? count / turns : 0;
    bool fits = turns && count % turns == 0;
    for (size_t from = 0; fits && from < count; from += size)
        fits = all_meet(meetings + from, size);
    if (!fits) {
        matching->find(matching->context, FTH_ORDER_UNORDERED, proc, &meetings[0].operation,
                       "the participants of the barrier are unknown");
        return;
    }
    for (size_t from = 0; from < count; from += size) {
        uint32_t hub = fth_clocks_hub(matching->clocks, false);
        for (size_t i = from; i < from + size; i++)
            fth_clocks_into(matching->clocks, meetings[i].operation.begin);
        for (size_t i = from; i < from + size; i++)
            fth_clocks_out_of(matching->clocks, hub, meetings[i].operation.end);
    }
}

static void barriers(struct fth_matching *matching, uint32_t proc)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    struct meeting *meetings = fth_new(process->mpi.meeting_count + 1, sizeof *meetings);
    for (size_t i = 0; i < process->mpi.meeting_count; i++) {
        const struct fth_order_meeting *meeting = &process->mpi.meetings[i];
        meetings[i] =
            (struct meeting){meeting->operation, fth_order_operation(process, meeting->operation),
                             meeting->start, meeting->end};
    }
    qsort(meetings, process->mpi.meeting_count, sizeof *meetings, by_slot_and_start);
    for (size_t from = 0, to = 0; from < process->mpi.meeting_count; from = to) {
        while (to < process->mpi.meeting_count &&
               meetings[to].operation.peer == meetings[from].operation.peer)
            to++;
        one_barrier(matching, proc, meetings + from, to - from);
    }
    free(meetings);
}

/* ---- requests defined by the program ---- */

static void end_requests(const struct fth_matching *matching,
                         const struct fth_order_operations *process)
{
    for (uint32_t i = 0; i < process->operation_count; i++) {
        struct fth_order_operation operation = fth_order_operation(process, i);
        if (operation.kind == FTH_SYNC_REQUEST && operation.flags & FTH_SYNC_COMPLETED)
            fth_clocks_edge(matching->clocks, operation.begin, operation.end);
    }
}

/* ---- files that other threads have opened ---- */

static void use_openings(const struct fth_matching *matching,
                         const struct fth_order_operations *process)
{
    for (size_t i = 0; i < process->opening_count; i++)
        fth_clocks_edge(matching->clocks, process->openings[i].opened, process->openings[i].used);
}

void fth_match_threads(struct fth_matching *matching)
{
    for (uint32_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        size_t count;
        bool creates = fth_order_operations_have(process, FTH_SYNC_BIT(FTH_SYNC_CREATE));
        struct creation *creations =
            process->starters && creates ? creations_of(process, &count) : NULL;
        if (creations) {
            begin_threads(matching, process, creations, count);
            end_threads(matching, process, creations, count);
        }
        free(creations);
        if (process->mpi.meeting_count)
            barriers(matching, i);
        if (fth_order_operations_have(process, FTH_SYNC_BIT(FTH_SYNC_REQUEST)))
            end_requests(matching, process);
        use_openings(matching, process);
    }
}
