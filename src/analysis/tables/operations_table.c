/* Goes through the calls of each selected process from the beginning and hands on what is over with
 * each. */
#include "analysis/tables/operations_table.h"

#include "base/memory.h"

struct fth_operation_walk {
    struct fth_trace *trace;
    const struct fth_selection *selection;
    struct fth_progress *progress;
    size_t next_proc;
    struct fth_calls *calls; /* of the process that is open; NULL: none is */
    struct fth_accesses *accesses;
    struct fth_access access;
    /* the operations at hand, and the next of them */
    const struct fth_operation *operations;
    size_t count, next;
    bool is_over; /* they are those in flight at the end of the process */
};

struct fth_operation_walk *fth_analysis_operations_open(struct fth_trace *trace,
                                                        const struct fth_selection *selection,
                                                        struct fth_progress *progress)
{
    struct fth_operation_walk *walk = fth_new(1, sizeof *walk);
    walk->trace = trace;
    walk->selection = selection;
    walk->progress = progress;
    return walk;
}

static void close_process(struct fth_operation_walk *walk)
{
    fth_accesses_close(walk->accesses);
    fth_calls_close(walk->calls);
    walk->accesses = NULL;
    walk->calls = NULL;
    walk->count = walk->next = 0;
    walk->is_over = false;
}

/* 1: the next selected process is open; 0: there is none; -1: *error is set. */
static int open_process(struct fth_operation_walk *walk, struct fth_error **error)
{
    size_t count = fth_trace_process_count(walk->trace);
    while (walk->next_proc < count &&
           !fth_analysis_selects_process(walk->selection, walk->trace, walk->next_proc))
        walk->next_proc++;
    if (walk->next_proc == count)
        return 0;
    size_t proc = walk->next_proc++;
    walk->calls = fth_calls_open(walk->trace, proc, error);
    if (!walk->calls)
        return fth_fail_in(error, "cannot read the calls of process %zu", proc);
    walk->accesses = fth_accesses_open(walk->trace, proc, walk->calls);
    return 1;
}

/* Is it selected, as the call that started it? */
static bool is_selected(const struct fth_operation_walk *walk,
                        const struct fth_operation *operation)
{
    const struct fth_call call = {
        .proc = operation->proc,
        .thread = operation->begin.thread,
        .number = operation->begin.number,
        .function = operation->function,
        .start = operation->start,
        .end = operation->end,
        .file = operation->file,
        .reads = operation->reads,
        .writes = operation->writes,
        .bytes = operation->bytes,
        .bytes_known = true,
    };
    const struct fth_subject subject = {.trace = walk->trace, .call = &call};
    return call.start <= walk->selection->to && call.end >= walk->selection->from &&
           fth_analysis_selects_call(walk->selection, &subject);
}

/* Takes the next call of the process, or at its end what is in flight. As
 * fth_analysis_operations_next. */
static int step(struct fth_operation_walk *walk, struct fth_error **error)
{
    int more = fth_accesses_next(walk->accesses, &walk->access, error);
    walk->next = 0;
    if (more < 0)
        return fth_fail_in(error, "cannot read the calls of process %zu", walk->next_proc - 1);
    if (more) {
        fth_progress_add(walk->progress, 1);
        walk->operations = walk->access.operations;
        walk->count = walk->access.operation_count;
    } else {
        walk->operations = fth_accesses_in_flight(walk->accesses, &walk->count);
        walk->is_over = true;
    }
    return 1;
}

int fth_analysis_operations_next(struct fth_operation_walk *walk,
                                 const struct fth_operation **operation, struct fth_error **error)
{
    for (;;) {
        while (walk->next < walk->count) {
            *operation = &walk->operations[walk->next++];
            if (is_selected(walk, *operation))
                return 1;
        }
        if (walk->is_over)
            close_process(walk);
        int more = walk->calls ? step(walk, error) : open_process(walk, error);
        if (more <= 0)
            return more;
    }
}

void fth_analysis_operations_close(struct fth_operation_walk *walk)
{
    if (walk)
        close_process(walk);
    free(walk);
}
