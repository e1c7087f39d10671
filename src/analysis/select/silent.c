/* Compares how many processes the calls of a run made with how many are in the trace. */
#include "analysis/select/silent.h"

#include "trace/program/hides.h"

#include <string.h>

struct started {
    uint64_t forks; /* calls that made a process for certain: fork, posix_spawn ... */
    bool others;    /* there were some that may have, too: system, popen */
};

static bool orders_as(const struct fth_function *function, const char *what)
{
    return function->orders && strcmp(function->orders, what) == 0;
}

static bool can_fork(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        if (orders_as(fth_trace_function(trace, i), "fork"))
            return true;
    return false;
}

static void add_process(struct started *started, struct fth_trace *trace, size_t proc)
{
    const struct fth_function_sum *rows;
    size_t count;
    if (!fth_trace_function_sums(trace, proc, &rows, &count, NULL))
        return;
    for (size_t i = 0; i < count; i++) {
        bool is_any = rows[i].calls > rows[i].errors;
        if (orders_as(rows[i].function, "fork"))
            started->forks += rows[i].calls - rows[i].errors;
        started->others |= is_any && orders_as(rows[i].function, "child");
    }
}

/* Is it one that another process made, not what a process became by exec? */
static bool is_child(const struct fth_process *process, const struct fth_process *parent)
{
    return parent && parent->pid != process->pid;
}

struct fth_silent fth_analysis_silent(const struct fth_selection *selection,
                                      struct fth_trace *trace)
{
    struct started started = {0};
    uint64_t seen = 0;
    const struct fth_trace_info *info = fth_trace_info(trace);
    if (!can_fork(trace) || fth_blind_spots_hide_order(info->blind_spots, info->blind_spot_count))
        return (struct fth_silent){0};
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc), *parent = NULL;
        bool is_selected = fth_analysis_selects_process(selection, trace, proc);
        if (!is_selected && !process->launcher)
            return (struct fth_silent){0};
        if (process->parent_proc >= 0)
            parent = fth_trace_process(trace, (size_t)process->parent_proc);
        if (is_child(process, parent))
            seen += selection->launchers || !parent->launcher;
        if (is_selected)
            add_process(&started, trace, proc);
    }
    return (struct fth_silent){.processes = started.forks > seen ? started.forks - seen : 0,
                               .at_least = started.others};
}
