/* Which processes are played: see the header. */
#include "repeat/what/played.h"

#include <string.h>

uint32_t fth_repeat_ranks(const struct fth_trace *trace)
{
    int64_t most = 0;
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        if (process->world != FTH_NO_WORLD && process->rank != FTH_NO_RANK && process->size > most)
            most = process->size;
    }
    return most > 0 && most < INT32_MAX ? (uint32_t)most : 0;
}

static bool is_rank(const struct fth_process *process)
{
    return process->world != FTH_NO_WORLD && process->rank != FTH_NO_RANK;
}

bool fth_repeat_plays(const struct fth_trace *trace, size_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    if (process->launcher)
        return false;
    if (!fth_repeat_ranks(trace))
        return true;
    size_t steps = fth_trace_process_count(trace);
    while (!is_rank(process) && process->parent_proc != FTH_NO_PROCESS && steps--)
        process = fth_trace_process(trace, (size_t)process->parent_proc);
    return is_rank(process);
}

bool fth_repeat_is_image_of(const struct fth_trace *trace, size_t proc, size_t before)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    const struct fth_process *earlier = fth_trace_process(trace, before);
    return process->parent_proc == (int64_t)before && process->pid == earlier->pid &&
           !strcmp(process->host, earlier->host) && proc != before;
}

bool fth_repeat_is_root(const struct fth_trace *trace, size_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    if (!fth_repeat_plays(trace, proc))
        return false;
    if (fth_repeat_ranks(trace))
        return is_rank(process);
    return process->parent_proc == FTH_NO_PROCESS ||
           !fth_repeat_plays(trace, (size_t)process->parent_proc);
}

int64_t fth_repeat_becomes(const struct fth_trace *trace, size_t proc)
{
    for (size_t i = proc + 1; i < fth_trace_process_count(trace); i++)
        if (fth_repeat_is_image_of(trace, i, proc) && fth_repeat_plays(trace, i))
            return (int64_t)i;
    return -1;
}
