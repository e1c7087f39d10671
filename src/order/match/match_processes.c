/* Processes: a child begins behind the call that made it and is over before the one that waited for
 * it returned; a program goes on in another one (exec). Threads begin behind the begin of their
 * process. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

static struct fth_event begin_of(const struct fth_order_operations *process)
{
    return (struct fth_event){process->first_timeline, 0};
}

void fth_match_after_end(const struct fth_matching *matching, size_t proc, struct fth_event to)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    for (uint32_t i = 0; i < process->timeline_count; i++)
        fth_clocks_edge(matching->clocks,
                        (struct fth_event){process->first_timeline + i, process->steps[i] - 1}, to);
}

static bool has_timelines(const struct fth_matching *matching, int64_t proc)
{
    return proc >= 0 && (size_t)proc < matching->process_count &&
           matching->processes[proc].timeline_count > 0;
}

/* Processes by pid, then by start: images of one process follow each other. */
struct image {
    int64_t pid, start;
    uint32_t proc;
    bool is_exec, born, reaped; /* what is known of the end, and of the begin of the first one */
};

struct images {
    const struct fth_trace *trace;
    struct image *sorted;
    size_t *places; /* of processes, in there */
    size_t count;
};

static int by_pid_and_start(const void *one, const void *other)
{
    const struct image *a = one, *b = other;
    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->proc > b->proc) - (a->proc < b->proc);
}

static struct images images_of(const struct fth_trace *trace)
{
    struct images images = {trace, NULL, NULL, fth_trace_process_count(trace)};
    images.sorted = fth_new(images.count + 1, sizeof *images.sorted);
    for (uint32_t i = 0; i < images.count; i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        int64_t parent = process->parent_proc;
        bool is_exec = parent >= 0 && parent < i &&
                       fth_trace_process(trace, (size_t)parent)->pid == process->pid;
        images.sorted[i] = (struct image){
            .pid = process->pid, .start = process->start, .proc = i, .is_exec = is_exec};
    }
    qsort(images.sorted, images.count, sizeof *images.sorted, by_pid_and_start);
    images.places = fth_new(images.count + 1, sizeof *images.places);
    for (size_t i = 0; i < images.count; i++)
        images.places[images.sorted[i].proc] = i;
    return images;
}

static size_t first_with(const struct images *images, int64_t pid)
{
    size_t low = 0, high = images->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (images->sorted[middle].pid < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_child(const struct images *images, const struct image *image, uint32_t proc)
{
    return !image->is_exec && fth_trace_process(images->trace, image->proc)->parent_proc == proc;
}

static void give_birth(const struct fth_matching *matching,
                       const struct fth_order_operation *operation, struct image *image)
{
    image->born = true;
    matching->births[image->proc] =
        (struct fth_birth_of){.moment = {operation->begin.timeline, operation->begin.step},
                              .is_known = true,
                              .is_plain = operation->kind != FTH_SYNC_FORK};
    if (has_timelines(matching, image->proc))
        fth_clocks_edge(matching->clocks, operation->begin,
                        begin_of(&matching->processes[image->proc]));
}

/* A pid is given out anew only when who had it was waited for: the k-th fork that returns it has
 * made the k-th child with it. */
static void born(const struct fth_matching *matching, const struct images *images, uint32_t proc,
                 const struct fth_order_operation *operation)
{
    for (size_t i = first_with(images, operation->peer);
         i < images->count && images->sorted[i].pid == operation->peer; i++) {
        if (!is_child(images, &images->sorted[i], proc) || images->sorted[i].born)
            continue;
        give_birth(matching, operation, &images->sorted[i]);
        return;
    }
    matching->processes[proc].has_unseen = true;
}

/* The child at `at` and what it became by exec were over before the call returned. */
static void reap_at(const struct fth_matching *matching, const struct images *images, size_t at,
                    const struct fth_order_operation *operation)
{
    images->sorted[at].reaped = true;
    int64_t pid = images->sorted[at].pid;
    do {
        if (has_timelines(matching, images->sorted[at].proc))
            fth_match_after_end(matching, images->sorted[at].proc, operation->end);
        at++;
    } while (at < images->count && images->sorted[at].pid == pid && images->sorted[at].is_exec);
}

/* Who waited for a process had it as a child then, even if another one had made it: orphans go to
 * the next ancestor that adopts them (PR_SET_CHILD_SUBREAPER), or the parent became another program
 * meanwhile. */
static bool may_have_adopted(const struct fth_matching *matching, const struct image *image,
                             uint32_t proc)
{
    return !image->is_exec &&
           matching->processes[image->proc].host == matching->processes[proc].host;
}

static void reap(const struct fth_matching *matching, const struct images *images, uint32_t proc,
                 const struct fth_order_operation *operation)
{
    size_t found = images->count;
    for (size_t i = first_with(images, operation->peer);
         i < images->count && images->sorted[i].pid == operation->peer; i++) {
        const struct image *image = &images->sorted[i];
        if (image->reaped || !may_have_adopted(matching, image, proc))
            continue;
        if (found == images->count)
            found = i;
        if (!is_child(images, image, proc))
            continue;
        found = i;
        break;
    }
    if (found == images->count)
        return;
    reap_at(matching, images, found, operation);
    images->sorted[found].reaped = operation->tag == 0;
}

/* None of the children that the process had was there any more to be waited for. Those count that a
 * call before has made: a later one may have the pid of an earlier one. */
static void find_gone(const struct fth_matching *matching, const struct images *images,
                      uint32_t proc, const struct fth_order_operation *operation)
{
    for (size_t i = 0; i < images->count; i++) {
        const struct image *image = &images->sorted[i];
        bool is_asked_for = operation->peer == FTH_PEER_ANY || image->pid == operation->peer;
        if (is_asked_for && is_child(images, image, proc) && image->born && !image->reaped)
            reap_at(matching, images, i, operation);
    }
}

static bool makes_child(const struct fth_order_operation *operation)
{
    return operation->kind == FTH_SYNC_CHILD || operation->kind == FTH_SYNC_CHILD_BEGINS;
}

/* The call that ends the child which this one began: the next one with its handle. */
static bool find_end(const struct fth_order_operations *process, uint32_t begin,
                     struct fth_order_operation *end)
{
    struct fth_order_operation first = *end = fth_order_operation(process, begin);
    if (first.kind == FTH_SYNC_CHILD)
        return true;
    for (uint32_t i = begin + 1; i < process->operation_count; i++) {
        *end = fth_order_operation(process, i);
        if (end->kind == FTH_SYNC_CHILD_ENDS && end->peer == first.peer)
            return true;
    }
    return false;
}

/* Calls that make a child and do not return its pid. When there are as many of them as children
 * that no other call made, they belong together in order. */
static void live_inside(const struct fth_matching *matching, const struct images *images,
                        uint32_t proc)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    size_t calls = 0, count = 0, next = 0;
    uint32_t timeline = FTH_NO_TIMELINE;
    if (!fth_order_operations_have(process, FTH_SYNC_BIT(FTH_SYNC_CHILD) |
                                                FTH_SYNC_BIT(FTH_SYNC_CHILD_BEGINS)))
        return;
    for (uint32_t i = 0; i < process->operation_count; i++) {
        struct fth_order_operation operation = fth_order_operation(process, i);
        if (!makes_child(&operation))
            continue;
        if (calls++ && operation.begin.timeline != timeline)
            return; /* threads at the same time: whose child came first is not known */
        timeline = operation.begin.timeline;
    }
    if (!calls)
        return;
    size_t *at = fth_new(images->count + 1, sizeof *at);
    for (size_t i = 0; i < images->count; i++) {
        const struct image *image = &images->sorted[images->places[i]];
        if (is_child(images, image, proc) && !image->born && !image->reaped)
            at[count++] = images->places[i];
    }
    for (uint32_t i = 0; count == calls && i < process->operation_count; i++) {
        struct fth_order_operation operation = fth_order_operation(process, i), end;
        if (!makes_child(&operation))
            continue;
        give_birth(matching, &operation, &images->sorted[at[next]]);
        if (find_end(process, i, &end))
            reap_at(matching, images, at[next], &end);
        next++;
    }
    free(at);
}

/* Threads begin behind the first event of their process; a program that is run by exec behind the
 * end of the one before. */
static void begin_processes(const struct fth_matching *matching, const struct images *images)
{
    for (size_t i = 0; i < images->count; i++) {
        const struct image *image = &images->sorted[i];
        matching->births[image->proc].is_exec = image->is_exec;
        if (!has_timelines(matching, image->proc))
            continue;
        const struct fth_order_operations *process = &matching->processes[image->proc];
        for (uint32_t k = 1; k < process->timeline_count; k++)
            fth_clocks_edge(matching->clocks, begin_of(process),
                            (struct fth_event){process->first_timeline + k, 0});
        int64_t before = fth_trace_process(images->trace, image->proc)->parent_proc;
        if (image->is_exec && has_timelines(matching, before))
            fth_match_after_end(matching, (size_t)before, begin_of(process));
    }
}

/* A process that became a program of which nothing was recorded, or of whose calls some were lost
 * (Open MPI's launcher writes into a pipe when a signal comes). */
static void find_unseen(const struct fth_matching *matching, const struct images *images)
{
    for (size_t i = 0; i < images->count; i++) {
        const struct image *image = &images->sorted[i], *next = image + 1;
        const struct fth_process *process = fth_trace_process(images->trace, image->proc);
        const char *how = process->how_ended;
        bool goes_on = i + 1 < images->count && next->pid == image->pid && next->is_exec;
        if (fth_process_lacks_calls(process) || (!goes_on && how && strcmp(how, "exec") == 0))
            matching->processes[image->proc].has_unseen = true;
    }
}

/* Children that it made, or that it waited for. */
static void follow_children(const struct fth_matching *matching, const struct images *images,
                            uint32_t proc)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    if (!fth_order_operations_have(process,
                                   FTH_SYNC_BIT(FTH_SYNC_FORK) | FTH_SYNC_BIT(FTH_SYNC_REAP)))
        return;
    for (uint32_t i = 0; i < process->operation_count; i++) {
        struct fth_order_operation operation = fth_order_operation(process, i);
        if (operation.kind == FTH_SYNC_FORK)
            born(matching, images, proc, &operation);
        else if (operation.kind == FTH_SYNC_REAP && operation.tag == 2)
            find_gone(matching, images, proc, &operation);
        else if (operation.kind == FTH_SYNC_REAP)
            reap(matching, images, proc, &operation);
    }
}

void fth_match_processes(struct fth_matching *matching, const struct fth_trace *trace)
{
    struct images images = images_of(trace);
    matching->births = fth_new(matching->process_count + 1, sizeof *matching->births);
    begin_processes(matching, &images);
    find_unseen(matching, &images);
    for (uint32_t proc = 0; proc < matching->process_count; proc++) {
        follow_children(matching, &images, proc);
        live_inside(matching, &images, proc);
    }
    free(images.places);
    free(images.sorted);
}
