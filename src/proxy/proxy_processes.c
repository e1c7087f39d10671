/* Which processes a program repeats, and in which order they are read: see the header. */
#include "proxy/proxy_processes.h"

#include "base/memory.h"
#include "proxy/grown_arrays.h"
#include "proxy/find_threads.h"
#include "repeat/what/played.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PROGRAMS = 256 /* of different ones */ };

static struct fth_proxy_process *add_thread(struct fth_proxy_processes *processes, size_t proc,
                                            uint32_t thread)
{
    FTH_GROW(processes->list, processes->count);
    struct fth_proxy_process *added = &processes->list[processes->count++];
    *added = (struct fth_proxy_process){.proc = proc, .thread = thread, .scope = &processes->scope};
    return added;
}

static void add_process(struct fth_proxy_processes *processes, size_t proc, int64_t rank)
{
    add_thread(processes, proc, 0)->rank = rank;
    processes->process_count = processes->count;
}

/* ---- files ---- */

/* Which files are there before: of these processes. */
static int find_places(struct fth_proxy_processes *processes, const bool *only,
                       struct fth_error **error)
{
    fth_repeat_places_free(processes->places);
    processes->places = fth_repeat_places_find(processes->trace, processes->ways, only, error);
    processes->scope.places = processes->places;
    return processes->places ? 0 : -1;
}

static int find_own_places(struct fth_proxy_processes *processes, struct fth_error **error)
{
    bool *only = fth_new(fth_trace_process_count(processes->trace) + 1, sizeof *only);
    for (size_t i = 0; i < processes->count; i++)
        only[processes->list[i].proc] = true;
    int result = find_places(processes, only, error);
    free(only);
    return result;
}

/* ---- what others start ---- */

/* What the process starts, and with which handles; and how many calls it makes itself. */
static int look_at(struct fth_proxy_processes *processes, size_t proc, enum fth_proxy_skips skips,
                   struct fth_error **error)
{
    struct fth_relatives_member *member = &processes->scope.relatives->members[proc];
    struct fth_proxy_calls kept;
    uint64_t bytes;
    if (fth_proxy_find_threads(processes->trace, proc, &processes->scope, skips, error))
        return -1;
    int more = fth_kept_calls_open(&kept, processes->trace, proc, FTH_ALL_THREADS,
                                   &processes->scope, NULL, error);
    if (more < 0)
        return -1;
    while ((more = fth_program_calls_next(&kept, skips, &bytes, error)) == 1)
        member->calls++;
    const char *end = fth_trace_process(processes->trace, proc)->how_ended;
    member->ends_itself = kept.has_ended ? kept.ends_itself : !strncmp(end, "exit", 4);
    fth_kept_calls_close(&kept);
    return more;
}

/* Processes stand behind those that start them. */
static int look_at_relatives(struct fth_proxy_processes *processes, enum fth_proxy_skips skips,
                             struct fth_error **error)
{
    struct fth_relatives *relatives = processes->scope.relatives;
    relatives->is_looking = true;
    relatives->begun = 0;
    int result = 0;
    for (size_t i = 0; i < relatives->count && !result; i++) {
        relatives->members[i].calls = 0;
        if (relatives->members[i].is_root || relatives->members[i].is_started)
            result = look_at(processes, i, relatives->members[i].is_root ? skips : FTH_SKIP_NOTHING,
                             error);
    }
    relatives->is_looking = false;
    return result;
}

static bool has_started_ones(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_process_count(trace); i++)
        if (fth_repeat_plays(trace, i) && !fth_repeat_is_root(trace, i))
            return true;
    return false;
}

static void add_started(struct fth_proxy_processes *processes)
{
    const struct fth_relatives *relatives = processes->scope.relatives;
    processes->root_count = processes->count;
    for (size_t i = 0; relatives && i < relatives->count; i++)
        if (relatives->members[i].is_wanted && !relatives->members[i].is_root)
            add_process(processes, i, 0);
}

/* ---- with MPI ---- */

static int64_t first_world(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        if (process->world != FTH_NO_WORLD && process->rank != FTH_NO_RANK && process->mpi)
            return process->world;
    }
    return FTH_NO_WORLD;
}

static int by_rank(const void *left, const void *right)
{
    const struct fth_proxy_process *one = left, *other = right;
    return (one->rank > other->rank) - (one->rank < other->rank);
}

static int choose_ranks(struct fth_proxy_processes *processes, int64_t world,
                        struct fth_error **error)
{
    struct fth_trace *trace = processes->trace;
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        if (process->world == world && process->rank >= 0 && process->mpi)
            add_process(processes, i, process->rank);
    }
    qsort(processes->list, processes->count, sizeof *processes->list, by_rank);
    for (size_t i = 0; i < processes->count; i++)
        if (processes->list[i].rank != (int64_t)i)
            return fth_fail(error,
                            "rank %zu is missing in the trace, or is several processes: that "
                            "cannot be made a program",
                            i);
    if (!has_started_ones(trace)) {
        add_started(processes);
        return 0;
    }
    struct fth_relatives *relatives = processes->scope.relatives = fth_relatives_open(trace);
    for (size_t i = 0; i < relatives->count; i++)
        relatives->members[i].is_root = false;
    for (size_t i = 0; i < processes->count; i++) {
        relatives->members[processes->list[i].proc].is_root = true;
        relatives->members[processes->list[i].proc].is_wanted = true;
        relatives->members[processes->list[i].proc].rank = (int64_t)i;
    }
    if (find_places(processes, NULL, error) ||
        look_at_relatives(processes, FTH_SKIP_NOTHING, error))
        return -1;
    fth_relatives_choose(relatives, trace);
    add_started(processes);
    return 0;
}

/* ---- without ---- */

static size_t with_most_calls(const struct fth_trace *trace)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        if (!process->launcher &&
            (best == SIZE_MAX || process->calls > fth_trace_process(trace, best)->calls))
            best = i;
    }
    return best;
}

static void choose_alone(struct fth_proxy_processes *processes, size_t proc)
{
    fth_relatives_close(processes->scope.relatives);
    processes->scope.relatives = NULL;
    add_process(processes, proc, 0);
    add_started(processes);
}

/* One that makes all calls is the program itself. */
static int choose_relatives(struct fth_proxy_processes *processes, struct fth_error **error)
{
    struct fth_trace *trace = processes->trace;
    struct fth_relatives *relatives = processes->scope.relatives = fth_relatives_open(trace);
    if (find_places(processes, NULL, error) ||
        look_at_relatives(processes, FTH_SKIP_NOTHING, error))
        return -1;
    size_t with_calls = fth_relatives_choose(relatives, trace), only = SIZE_MAX;
    for (size_t i = 0; i < relatives->count && with_calls == 1; i++)
        if (relatives->members[i].is_wanted && relatives->members[i].calls)
            only = i;
    if (!with_calls)
        only = with_most_calls(trace);
    if (with_calls < 2) {
        if (only != SIZE_MAX)
            choose_alone(processes, only);
        return 0;
    }
    for (size_t i = 0; i < relatives->count; i++)
        if (relatives->members[i].is_root && relatives->members[i].is_wanted)
            add_process(processes, i, 0);
    if (processes->count > 1)
        return fth_fail(error,
                        "the run has several first processes, %zu and %zu are two of them, "
                        "which nothing started that was recorded; choose one with "
                        "--process (`fathom info` lists them), or repeat all of them with "
                        "`fathom replay`",
                        processes->list[0].proc, processes->list[1].proc);
    add_started(processes);
    return 0;
}

static int choose_process(struct fth_proxy_processes *processes, int64_t process,
                          struct fth_error **error)
{
    if (processes->in_mpi)
        return fth_fail(error, "--process is for runs without MPI: of this one all ranks are "
                               "repeated");
    if ((size_t)process >= fth_trace_process_count(processes->trace))
        return fth_fail(error, "the trace has no such process: `fathom info` lists them");
    choose_alone(processes, (size_t)process);
    return 0;
}

int fth_proxy_processes_choose(struct fth_proxy_processes *processes, struct fth_trace *trace,
                               int64_t process, struct fth_error **error)
{
    int64_t world = first_world(trace);
    *processes = (struct fth_proxy_processes){.trace = trace, .in_mpi = world != FTH_NO_WORLD};
    processes->ways = fth_repeat_ways_open(trace, FTH_REPEAT_LIBRARIES);
    processes->scope.threads =
        fth_new(fth_trace_process_count(trace) + 1, sizeof *processes->scope.threads);
    processes->scope.ways = processes->ways;
    if (process >= 0              ? choose_process(processes, process, error)
        : processes->in_mpi       ? choose_ranks(processes, world, error)
        : has_started_ones(trace) ? choose_relatives(processes, error)
                                  : 0)
        return -1;
    if (!processes->count && with_most_calls(trace) != SIZE_MAX)
        choose_alone(processes, with_most_calls(trace));
    if (!processes->count)
        return fth_fail(error, "the trace has no process to make a program of");
    if (processes->scope.relatives)
        processes->scope.directory = fth_trace_process(trace, processes->list[0].proc)->directory;
    return find_own_places(processes, error);
}

void fth_proxy_processes_free(struct fth_proxy_processes *processes)
{
    for (size_t i = 0; i < processes->count; i++)
        fth_proxy_process_free(&processes->list[i]);
    free(processes->list);
    for (size_t i = 0; processes->trace && i < fth_trace_process_count(processes->trace); i++)
        fth_run_threads_free(&processes->scope.threads[i]);
    free(processes->scope.threads);
    fth_relatives_close(processes->scope.relatives);
    fth_repeat_places_free(processes->places);
    fth_repeat_ways_close(processes->ways);
}

/* ---- threads ---- */

/* Behind all processes. */
static int add_threads(struct fth_proxy_processes *processes, struct fth_error **error)
{
    size_t count = processes->process_count;
    for (size_t i = 0; i < count; i++) {
        size_t proc = processes->list[i].proc;
        const struct fth_run_threads *threads = &processes->scope.threads[proc];
        if (!processes->scope.relatives &&
            fth_proxy_find_threads(processes->trace, proc, &processes->scope,
                                   processes->list[i].skips, error))
            return -1;
        for (uint32_t k = 1; k < threads->count; k++)
            if (threads->list[k].is_repeated)
                add_thread(processes, proc, k)->slot = threads->list[k].slot;
    }
    return 0;
}

/* ---- programs of those that are started ---- */

static bool is_same_start(const struct fth_relatives *relatives,
                          const struct fth_proxy_process *one,
                          const struct fth_proxy_process *other)
{
    if (one->thread || other->thread)
        return one->thread && other->thread;
    const struct fth_relatives_member *a = &relatives->members[one->proc],
                                      *b = &relatives->members[other->proc];
    return a->is_new_program == b->is_new_program && a->ends_itself == b->ends_itself;
}

static void set_program(struct fth_proxy_processes *processes,
                        const struct fth_proxy_process *process)
{
    if (process->thread)
        processes->scope.threads[process->proc].list[process->thread].program = process->program;
    else
        processes->scope.relatives->members[process->proc].program = process->program;
}

static void number_program(struct fth_proxy_processes *processes, size_t index)
{
    struct fth_proxy_process *own = &processes->list[index];
    for (size_t i = index + 1; i < processes->count && !own->program; i++)
        if (is_same_start(processes->scope.relatives, own, &processes->list[i]) &&
            fth_sequence_is_like(own, &own->rest, &processes->list[i], &processes->list[i].rest))
            own->program = processes->list[i].program;
    if (!own->program)
        own->program = ++processes->programs;
    set_program(processes, own);
}

/* One that is started; and in which order. */
struct started {
    struct fth_proxy_process *process;
    int64_t rank;   /* of the root that it comes from */
    uint64_t order; /* of the process, of those with this rank */
};

static int by_order(const void *left, const void *right)
{
    const struct started *one = left, *other = right;
    if (one->rank != other->rank)
        return one->rank > other->rank ? 1 : -1;
    if (one->order != other->order)
        return one->order > other->order ? 1 : -1;
    return (one->process->slot > other->process->slot) -
           (one->process->slot < other->process->slot);
}

/* Without relatives only roots have threads. */
static struct started as_started(const struct fth_proxy_processes *processes,
                                 struct fth_proxy_process *process)
{
    const struct fth_relatives *relatives = processes->scope.relatives;
    struct started started = {process, fth_trace_process(processes->trace, process->proc)->rank, 0};
    if (relatives) {
        const struct fth_relatives_member *member = &relatives->members[process->proc];
        started.rank = member->rank;
        started.order = member->is_root ? 0 : member->order + 1;
    }
    return started;
}

/* As they are started: other processes may have begun earlier then. */
static void count_programs(struct fth_proxy_processes *processes)
{
    size_t count = processes->count - processes->root_count;
    int64_t *counts = fth_new(processes->programs + 1, sizeof *counts);
    struct started *started = fth_new(count + 1, sizeof *started);
    for (size_t i = 0; i < count; i++)
        started[i] = as_started(processes, &processes->list[processes->root_count + i]);
    qsort(started, count, sizeof *started, by_order);
    for (size_t i = 0; i < count; i++) {
        struct fth_proxy_process *process = started[i].process;
        process->rank = counts[process->program]++;
        if (process->thread)
            processes->scope.threads[process->proc].list[process->thread].number = process->rank;
        else
            processes->scope.relatives->members[process->proc].number = process->rank;
    }
    free(started);
    free(counts);
}

/* From the last one on: what a process does names the programs of those that it starts. */
static int find_programs(struct fth_proxy_processes *processes, struct fth_error **error)
{
    processes->programs = 0;
    for (size_t i = processes->count; i-- > processes->root_count;) {
        struct fth_proxy_process *process = &processes->list[i];
        process->program = 0;
        if (fth_proxy_make_grammar(process, processes->trace, FTH_SPLIT_NOWHERE, error))
            return -1;
        number_program(processes, i);
        if (processes->programs > MOST_PROGRAMS)
            return fth_fail(
                error,
                "more than %d of its processes and threads do not do the same as another one: "
                "that is no program which people read; choose one with --process "
                "(`fathom info` lists them), or repeat all of them with `fathom "
                "replay`",
                MOST_PROGRAMS);
    }
    count_programs(processes);
    return 0;
}

/* ---- reading ---- */

static void forget(struct fth_proxy_processes *processes, struct fth_proxy_summary *summary)
{
    while (processes->count > processes->process_count)
        fth_proxy_process_free(&processes->list[--processes->count]);
    for (size_t i = 0; i < processes->count; i++) {
        struct fth_proxy_process *process = &processes->list[i], plain = {.proc = process->proc,
                                                                          .rank = process->rank,
                                                                          .scope = process->scope,
                                                                          .skips = process->skips};
        fth_proxy_process_free(process);
        *process = plain;
    }
    fth_proxy_summary_free(summary);
    *summary = (struct fth_proxy_summary){0};
}

static int make_grammars(struct fth_proxy_processes *processes, enum fth_proxy_split split,
                         struct fth_error **error)
{
    if (find_programs(processes, error))
        return -1;
    for (size_t i = 0; i < processes->count; i++)
        if (fth_proxy_make_grammar(&processes->list[i], processes->trace,
                                   i < processes->root_count ? split : FTH_SPLIT_NOWHERE, error))
            return -1;
    return 0;
}

int fth_proxy_processes_read(struct fth_proxy_processes *processes, enum fth_proxy_split split,
                             struct fth_proxy_summary *summary, struct fth_error **error)
{
    forget(processes, summary);
    if (processes->scope.relatives && look_at_relatives(processes, processes->list[0].skips, error))
        return -1;
    if (add_threads(processes, error))
        return -1;
    if (fth_proxy_look(processes->list, processes->count, processes->trace, summary, error) ||
        make_grammars(processes, split, error) ||
        (fth_proxy_loosen(processes->list, processes->count) &&
         make_grammars(processes, split, error)))
        return -1;
    fth_grown_arrays_agree(processes->list, processes->root_count);
    return 0;
}
