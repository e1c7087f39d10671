/* Processes that are gone and did not say how: what those that waited for them got to know. A
 * worker that its parent has ended with a signal (the pools of Python's multiprocessing) did not
 * leave a recording that was cut off.
 *
 * Looked for in the calls of the parent from the child's last one on, and in the first so many of
 * them only: a trace is to be open at once. */
#include "model/calls/process_exits.h"

#include "base/memory.h"
#include "model/reading/model.h"
#include "trace/record/spill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST_CALLS = 20000, MOST_PARENTS = 64 };

struct gone {
    int64_t waiter, pid;
    struct fth_model_process *process;
};

/* Who forked it, or the program that this one has become since. -1: nobody that was seen. */
static int64_t waiter_of(const struct fth_trace *trace, size_t proc)
{
    const struct fth_model_process *all = trace->processes;
    int64_t waiter = all[proc].facts.parent_proc, pid = all[proc].facts.pid;
    while (waiter >= 0 && all[waiter].facts.pid == pid)
        waiter = all[waiter].facts.parent_proc;
    if (waiter < 0 || all[waiter].stored.ended != FTH_END_EXEC)
        return waiter;
    pid = all[waiter].facts.pid;
    for (size_t i = (size_t)waiter + 1; i < trace->process_count; i++)
        if (all[i].facts.parent_proc == waiter && all[i].facts.pid == pid)
            waiter = (int64_t)i;
    return waiter;
}

static int by_waiter(const void *one, const void *other)
{
    const struct gone *a = one, *b = other;
    if (a->waiter != b->waiter)
        return a->waiter < b->waiter ? -1 : 1;
    return (a->pid > b->pid) - (a->pid < b->pid);
}

/* The status that wait and its like have for a process; -1: the call reports none. */
static int64_t reported_status(const struct fth_call *call)
{
    if (!call->function->orders || strcmp(call->function->orders, "reap") != 0 ||
        call->result.integer <= 0)
        return -1;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (strcmp(call->function->parameters[i].name, "wstatus") == 0 &&
            call->arguments[i].type == FTH_VALUE_INTEGER)
            return call->arguments[i].integer;
    return -1;
}

static void note_signal(struct fth_model_process *process, int signal_number, int64_t time)
{
    char *text;
    text = fth_text_format("signal %d", signal_number);
    free((void *)(uintptr_t)process->facts.how_ended);
    process->facts.how_ended = text;
    process->facts.reaped = time;
    process->facts.cut_off = signal_number != SIGPIPE; /* as of those that recorded it themselves */
}

static void ask(struct fth_trace *trace, const struct gone *children, size_t count)
{
    struct fth_error *error = NULL;
    struct fth_call call;
    int64_t since = INT64_MAX;
    for (size_t i = 0; i < count; i++)
        if (children[i].process->facts.end < since)
            since = children[i].process->facts.end;
    struct fth_calls *calls = fth_calls_from(trace, (size_t)children->waiter, since, &error);
    for (int i = 0; calls && i < MOST_CALLS && fth_calls_next(calls, &call, &error) > 0; i++) {
        int64_t status = reported_status(&call);
        if (status < 0 || !WIFSIGNALED((int)status))
            continue;
        struct gone wanted = {children->waiter, call.result.integer, NULL};
        const struct gone *child = bsearch(&wanted, children, count, sizeof wanted, by_waiter);
        if (child)
            note_signal(child->process, WTERMSIG((int)status), call.end);
    }
    fth_calls_close(calls);
    fth_error_free(error); /* whoever reads these calls will report it */
}

void fth_model_find_signals(struct fth_trace *trace)
{
    struct gone *gone = NULL;
    size_t count = 0;
    for (size_t i = 0; i < trace->process_count; i++) {
        struct fth_model_process *process = &trace->processes[i];
        int64_t waiter = process->facts.cut_off && !process->stored.alive &&
                                 process->stored.ended == FTH_END_UNKNOWN
                             ? waiter_of(trace, i)
                             : -1;
        if (waiter < 0)
            continue;
        FTH_GROW(gone, count);
        gone[count++] = (struct gone){waiter, process->facts.pid, process};
    }
    if (count)
        qsort(gone, count, sizeof *gone, by_waiter);
    for (size_t from = 0, asked = 0, to; from < count && asked < MOST_PARENTS; asked++, from = to) {
        for (to = from + 1; to < count && gone[to].waiter == gone[from].waiter;)
            to++;
        ask(trace, &gone[from], to - from);
    }
    free(gone);
}
