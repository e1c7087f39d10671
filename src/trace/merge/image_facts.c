/* The facts of a process image, from its file in the spill folder. */
#include "trace/merge/image_facts.h"

#include "base/memory.h"

int64_t fth_clock_time(const struct fth_clock *clock, const struct fth_spill_process *process,
                       uint64_t ticks)
{
    if (ticks <= process->start.ticks || !clock->rate_ticks)
        return clock->start_realtime;
    unsigned __int128 ns =
        (unsigned __int128)(ticks - process->start.ticks) * clock->rate_ns / clock->rate_ticks;
    return clock->start_realtime + (ns >> 60 ? 0 : (int64_t)ns);
}

/* The nearest number: clocks tick in round numbers, from which a measured rate is a little off, to
 * one side or to the other. */
uint64_t fth_clock_quantum(const struct fth_clock *clock, const struct fth_time_mode *times)
{
    double ticks =
        (double)times->resolution_ns * (double)clock->rate_ticks / (double)clock->rate_ns;
    uint64_t quantum = (uint64_t)(ticks + 0.5);
    return quantum ? quantum : 1;
}

static char *copy(const char *text)
{
    return fth_text_copy(text ? text : "");
}

/* "openmpi Open MPI v4.1.4, ...": the name of the ABI, and what the library says of itself. */
static char *describe_mpi(const struct fth_spill_process *process)
{
    const char *abi = fth_spill_text(process, "mpi_abi", NULL),
               *library = fth_spill_text(process, "mpi", NULL);
    if (!abi)
        return copy(NULL);
    return fth_text_format("%s %s", abi, library ? library : "");
}

void fth_facts_begin(struct fth_facts *facts, const struct fth_spill_process *process,
                     const struct fth_clock *clock, const struct fth_time_mode *times)
{
    *facts = (struct fth_facts){.image = process->image,
                                .quantum = fth_clock_quantum(clock, times),
                                .times = times->kept,
                                .directory = copy(fth_spill_text(process, "cwd", NULL))};
}

void fth_facts_take(struct fth_facts *facts, const struct fth_spill_process *process,
                    const struct fth_clock *clock)
{
    const struct fth_facts before = *facts;
    *facts = (struct fth_facts){
        .image = process->image,
        .quantum = before.quantum,
        .times = before.times,
        .directory = before.directory,
        .summed = before.summed,
        .previous = process->previous,
        .world = process->world,
        .pid = process->pid,
        .parent_pid = process->parent_pid,
        .rank = process->rank,
        .size = process->size,
        .start_realtime = clock->start_realtime,
        .start_ticks = process->start.ticks,
        .last_ticks =
            process->last.ticks > before.last_ticks ? process->last.ticks : before.last_ticks,
        .ended = process->ended,
        .status = process->status,
        .lost = process->lost + process->unkept.calls,
        .unkept = {.calls = process->unkept.calls,
                   .error = (int)process->unkept.error,
                   .since = fth_clock_time(clock, process, process->unkept.since.ticks)},
        .stopped = process->stopped,
        .rate_ticks = clock->rate_ticks,
        .rate_ns = clock->rate_ns,
        .clock_is_monotonic = process->ticks_are_ns,
        .clock_error = clock->error};
    facts->alive =
        !process->ended && fth_spill_is_of_this_node(process) && fth_process_is_alive(process->pid);
    facts->host = copy(fth_spill_text(process, "host", NULL));
    facts->exe = copy(fth_spill_text(process, "exe", NULL));
    facts->mpi = describe_mpi(process);
    for (const char *at = NULL; (at = fth_spill_text(process, "arg", at));) {
        FTH_GROW(facts->arguments.items, facts->arguments.count);
        facts->arguments.items[facts->arguments.count++] = copy(at);
    }
}
