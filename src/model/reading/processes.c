/* Processes as readers see them: in order of start, with parents, worlds, and how they ended. */
#include "model/reading/model.h"

#include "base/launchers.h"
#include "base/memory.h"
#include "trace/record/spill.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one ---- */

static char *how_it_ended(const struct fth_facts *facts)
{
    char *text = NULL;
    if (facts->ended == FTH_END_EXIT) {
        text = fth_text_format("exit %" PRId64, facts->status & 255);
        return text;
    }
    if (facts->ended == FTH_END_SIGNAL) {
        text = fth_text_format("signal %" PRId64, facts->status);
        return text;
    }
    return fth_text_copy(facts->ended == FTH_END_EXEC        ? "exec"
                         : facts->ended == FTH_END_DETACHED  ? "detached"
                         : facts->ended == FTH_END_NOT_KNOWN ? "not known"
                         : facts->alive                      ? "still running"
                                                             : "killed or lost");
}

/* Behind the name of the ABI. */
static const char *library_of(const char *mpi)
{
    const char *blank = strchr(mpi, ' ');
    return blank && blank[1] ? blank + 1 : NULL;
}

static int by_start(const void *one, const void *other)
{
    const struct fth_model_process *a = one, *b = other;
    int64_t left = a->stored.start_realtime, right = b->stored.start_realtime;
    if (left != right)
        return left < right ? -1 : 1;
    return a->image < b->image ? -1 : a->image > b->image;
}

static struct fth_missing missing_of(const struct fth_trace *trace, const struct fth_unkept *unkept)
{
    return (struct fth_missing){
        .processes = unkept->processes,
        .calls = unkept->calls,
        .uncounted = unkept->uncounted,
        .error = unkept->error,
        .since = fth_model_ns_between(trace->info.start_realtime, unkept->since)};
}

/* Before, it was only noted that recording stopped. */
static bool counts_unkept(const struct fth_trace *trace)
{
    return trace->info.version >= FTH_TRACE_COUNTS_UNKEPT;
}

/* Of a process of which something was kept. */
static struct fth_missing missing_in(const struct fth_trace *trace,
                                     const struct fth_model_process *process)
{
    const struct fth_unkept *unkept = fth_unkept_of(&trace->unkept, process->image);
    struct fth_missing missing = {0};
    if (unkept) {
        missing = missing_of(trace, unkept);
        missing.processes = 1;
    } else if (!counts_unkept(trace) && process->stored.stopped) {
        missing = (struct fth_missing){.processes = 1,
                                       .uncounted = true,
                                       .error = (int)process->stored.stopped,
                                       .since = FTH_NO_TIME};
    }
    return missing;
}

/* A writer whose reader has gone, as in `prog | head`, has come to its end by SIGPIPE. */
static bool is_cut_off(const struct fth_facts *facts)
{
    return facts->ended != FTH_END_EXIT && facts->ended != FTH_END_EXEC &&
           facts->ended != FTH_END_NOT_KNOWN &&
           !(facts->ended == FTH_END_SIGNAL && facts->status == SIGPIPE);
}

static void fill_process(struct fth_trace *trace, struct fth_model_process *process)
{
    const struct fth_facts *facts = &process->stored;
    struct fth_process *public = &process->facts;
    uint64_t calls = public->calls;
    const struct fth_unkept *summed = fth_unkept_of(&trace->summed, process->image);
    size_t threads = public->thread_count;
    process->start_ns = fth_model_ns_between(trace->info.start_realtime, facts->start_realtime);
    process->constants = fth_mpi_constants_of(facts->mpi);
    process->ns_per_tick = ((unsigned __int128)facts->rate_ns << 64) / facts->rate_ticks;
    *public =
        (struct fth_process){.parent_proc = FTH_NO_PROCESS,
                             .world = FTH_NO_WORLD,
                             .rank = facts->world ? facts->rank : FTH_NO_RANK,
                             .size = facts->world ? facts->size : FTH_NO_RANK,
                             .pid = facts->pid,
                             .host = facts->host,
                             .executable = facts->exe,
                             .directory = facts->directory,
                             .argument_count = facts->arguments.count,
                             .arguments = (const char *const *)facts->arguments.items,
                             .start = process->start_ns,
                             .mpi_abi = fth_mpi_abi_name(process->constants),
                             .mpi = library_of(facts->mpi),
                             .how_ended = how_it_ended(facts),
                             .reaped = FTH_NO_TIME,
                             .cut_off = is_cut_off(facts),
                             .launcher = fth_is_launcher(facts->exe),
                             .excluded = facts->excluded,
                             .lost = facts->lost,
                             .stopped = (int)facts->stopped,
                             .missing = missing_in(trace, process),
                             .summed = summed ? summed->calls : 0,
                             .summed_since = summed ? missing_of(trace, summed).since : FTH_NO_TIME,
                             .only_watched = summed && summed->error == FTH_ONLY_WATCHED,
                             .calls = calls,
                             .thread_count = threads,
                             .clock = facts->clock_is_monotonic ? "monotonic" : "ticks",
                             .clock_error = facts->clock_error};
    public->end = fth_model_time(process, facts->last_ticks);
    if (public->end < public->start) /* no call was recorded, and its end not seen */
    public->end = public->start;
}

/* ---- among the others ---- */

/* The last process that was put down under a number. */
struct directory {
    struct fth_intern numbers;
    int64_t *processes;
};

static int64_t *entry_of(struct directory *directory, uint64_t number)
{
    uint32_t known = directory->numbers.count,
             at = fth_intern(&directory->numbers, &number, sizeof number);
    if (at == known) {
        FTH_GROW(directory->processes, known);
        directory->processes[at] = FTH_NO_PROCESS;
    }
    return &directory->processes[at];
}

static void free_directory(struct directory *directory)
{
    fth_intern_free(&directory->numbers);
    free(directory->processes);
}

/* A process knows the image that it comes from, or else the parent is the last one before it with
 * the parent's pid or (exec) its own. */
static void find_parents(struct fth_trace *trace)
{
    struct directory images = {0}, pids = {0};
    for (size_t i = 0; i < trace->process_count; i++) {
        struct fth_model_process *process = &trace->processes[i];
        const struct fth_facts *facts = &process->stored;
        int64_t parent = *entry_of(&pids, (uint64_t)facts->parent_pid),
                same = *entry_of(&pids, (uint64_t)facts->pid);
        process->facts.parent_proc = facts->previous ? *entry_of(&images, facts->previous)
                                     : parent > same ? parent
                                                     : same;
        *entry_of(&images, process->image) = (int64_t)i;
        *entry_of(&pids, (uint64_t)facts->pid) = (int64_t)i;
    }
    free_directory(&images);
    free_directory(&pids);
}

/* A process of which two images are known and whose first one did not say how it ended: an emulator
 * (qemu) ends with the program that runs in it, and both make calls at the same time; otherwise the
 * second one took the place of the first, by an exec that was not seen. */
static void end_first_images(struct fth_trace *trace)
{
    for (size_t i = trace->process_count; i-- > 0;) {
        const struct fth_model_process *second = &trace->processes[i];
        struct fth_model_process *first = second->facts.parent_proc == FTH_NO_PROCESS
                                              ? NULL
                                              : &trace->processes[second->facts.parent_proc];
        if (!first || first->stored.pid != second->stored.pid ||
            strcmp(first->stored.host, second->stored.host) != 0 ||
            first->stored.ended != FTH_END_UNKNOWN || first->stored.alive)
            continue;
        bool together = first->facts.end > second->facts.start;
        free((char *)(uintptr_t)first->facts.how_ended);
        first->facts.how_ended = fth_text_copy(together ? second->facts.how_ended : "exec");
        first->facts.cut_off = together && second->facts.cut_off;
    }
}

/* The world that a launcher's variables name has an even number. Where MPI came up, its own
 * worlds say who is who, and shells around its ranks have none. */
static void forget_launches(struct fth_trace *trace)
{
    bool has_mpi = false;
    for (size_t i = 0; i < trace->process_count; i++)
        has_mpi = has_mpi || trace->processes[i].stored.world & 1;
    for (size_t i = 0; i < trace->process_count && has_mpi; i++)
        if (!(trace->processes[i].stored.world & 1))
            trace->processes[i].stored.world = 0;
}

static void number_worlds(struct fth_trace *trace)
{
    struct fth_intern worlds = {0};
    for (size_t i = 0; i < trace->process_count; i++) {
        struct fth_model_process *process = &trace->processes[i];
        if (process->stored.world)
            process->facts.world =
                fth_intern(&worlds, &process->stored.world, sizeof process->stored.world);
    }
    fth_intern_free(&worlds);
}

void fth_model_make_processes(struct fth_trace *trace)
{
    if (trace->process_count)
        qsort(trace->processes, trace->process_count, sizeof *trace->processes, by_start);
    forget_launches(trace);
    for (size_t i = 0; i < trace->process_count; i++)
        fill_process(trace, &trace->processes[i]);
    const struct fth_unkept *unrecorded = fth_unkept_of(&trace->unkept, 0);
    if (unrecorded)
        trace->info.unrecorded = missing_of(trace, unrecorded);
    find_parents(trace);
    end_first_images(trace);
    number_worlds(trace);
}
