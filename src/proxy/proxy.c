/* From a trace to the files of a program: reads its processes, puts those alike together, fits
 * their numbers and writes. */
#include "proxy/proxy.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "model/reading/trace_functions.h"
#include "proxy/body_fit.h"
#include "proxy/main_text.h"
#include "proxy/merge_groups.h"
#include "proxy/proxy_files.h"
#include "proxy/proxy_folder.h"
#include "proxy/sizes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct making {
    struct fth_trace *trace;
    const struct fth_proxy_settings *settings;
    struct fth_proxy_summary *summary;
    struct fth_proxy_process *processes; /* in order of ranks */
    size_t process_count;
    size_t others; /* processes that are not repeated */
    bool in_mpi;
    bool asks;             /* the program asks for its rank, which the run did not do, or later */
    struct fth_body start; /* until the rank is known; without members: there is none */
    struct fth_body *bodies;
    size_t body_count;
    struct fth_repeat_places *places;
    struct fth_writing writing;
    struct fth_program_files files;
};

void fth_proxy_summary_free(struct fth_proxy_summary *summary)
{
    free(summary->left_out);
    free(summary->why_ranks);
}

/* ---- which processes ---- */

static int64_t first_world(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        if (process->world != FTH_NO_WORLD && process->rank != FTH_NO_RANK && process->mpi)
            return process->world;
    }
    return FTH_NO_WORLD;
}

static void add_process(struct making *making, size_t proc, int64_t rank)
{
    FTH_GROW(making->processes, making->process_count);
    making->processes[making->process_count++] =
        (struct fth_proxy_process){.proc = proc, .rank = rank};
}

static int by_rank(const void *left, const void *right)
{
    const struct fth_proxy_process *one = left, *other = right;
    return (one->rank > other->rank) - (one->rank < other->rank);
}

/* The ranks of the first world; without MPI the process with the most calls. */
static int choose_processes(struct making *making, struct fth_error **error)
{
    int64_t world = first_world(making->trace);
    size_t best = SIZE_MAX;
    making->in_mpi = world != FTH_NO_WORLD;
    for (size_t i = 0; i < fth_trace_process_count(making->trace); i++) {
        const struct fth_process *process = fth_trace_process(making->trace, i);
        if (making->in_mpi && process->world == world && process->rank >= 0 && process->mpi)
            add_process(making, i, process->rank);
        if (!making->in_mpi && !process->launcher &&
            (best == SIZE_MAX || process->calls > fth_trace_process(making->trace, best)->calls))
            best = i;
    }
    if (making->settings->process >= 0) {
        best = (size_t)making->settings->process;
        if (making->in_mpi || best >= fth_trace_process_count(making->trace))
            return fth_fail(error, making->in_mpi
                                       ? "--process is for runs without MPI: of this one all ranks "
                                         "are repeated"
                                       : "the trace has no such process: `fathom info` lists them");
    }
    if (best != SIZE_MAX)
        add_process(making, best, 0);
    for (size_t i = 0; i < fth_trace_process_count(making->trace); i++)
        making->others += !fth_trace_process(making->trace, i)->launcher;
    making->others -= making->process_count;
    if (!making->process_count)
        return fth_fail(error, "the trace has no process to make a program of");
    qsort(making->processes, making->process_count, sizeof *making->processes, by_rank);
    for (size_t i = 0; i < making->process_count && making->in_mpi; i++)
        if (making->processes[i].rank != (int64_t)i)
            return fth_fail(error,
                            "rank %zu is missing in the trace, or is several processes: that "
                            "cannot be made a program",
                            i);
    return 0;
}

static int check_complete(const struct making *making, struct fth_error **error)
{
    for (size_t i = 0; i < making->process_count; i++) {
        size_t proc = making->processes[i].proc;
        const struct fth_process *process = fth_trace_process(making->trace, proc);
        if (process->only_watched || process->only_counted)
            return fth_fail(error,
                            "process %zu: calls of it are in sums or counts only, as it was only "
                            "watched from time to time: record without --select",
                            proc);
        if (process->lost || process->missing.calls || process->missing.uncounted)
            return fth_fail(error,
                            "process %zu: calls of it are missing in the trace (see `fathom "
                            "info`): a program of it would do less than the run did",
                            proc);
        if (process->summed)
            return fth_fail(error,
                            "process %zu: some of its calls are only in sums: record without "
                            "--budget",
                            proc);
    }
    return 0;
}

/* Which files are there before: of the processes that are repeated. */
static int find_places(struct making *making, struct fth_error **error)
{
    bool *only = fth_new(fth_trace_process_count(making->trace) + 1, sizeof *only);
    struct fth_repeat_ways *ways = fth_repeat_ways_open(making->trace, FTH_REPEAT_LIBRARIES);
    for (size_t i = 0; i < making->process_count; i++)
        only[making->processes[i].proc] = true;
    making->places = fth_repeat_places_find(making->trace, ways, only, false, error);
    fth_repeat_ways_close(ways);
    free(only);
    if (!making->places)
        return -1;
    for (size_t i = 0; i < making->process_count; i++)
        making->processes[i].places = making->places;
    return 0;
}

/* ---- reading ---- */

static void forget_processes(struct making *making)
{
    for (size_t i = 0; i < making->process_count; i++) {
        struct fth_proxy_process *process = &making->processes[i],
                                 plain = {.proc = process->proc,
                                          .rank = process->rank,
                                          .places = process->places,
                                          .only_started = process->only_started};
        fth_proxy_process_free(process);
        *process = plain;
    }
    fth_proxy_summary_free(making->summary);
    *making->summary = (struct fth_proxy_summary){0};
}

static int fail_without_calls(const struct making *making, struct fth_error **error)
{
    const char *what = "calls that a program could repeat: they are outermost calls of MPI, or on "
                       "files of the program's own";
    size_t proc = making->processes[0].proc;
    if (making->process_count > 1 || fth_trace_process(making->trace, proc)->mpi)
        return fth_fail(error, "the trace has no %s", what);
    if (fth_trace_process_count(making->trace) == 1)
        return fth_fail(error, "process %zu, the only one, has no %s", proc, what);
    return fth_fail(error,
                    "process %zu has no %s; without MPI a program repeats one process: choose "
                    "another one with --process (`fathom info` lists them), or repeat all of them "
                    "with `fathom replay`",
                    proc, what);
}

static int read_processes(struct making *making, enum fth_proxy_split split,
                          struct fth_error **error)
{
    uint64_t calls = 0;
    forget_processes(making);
    if (fth_proxy_read_processes(making->processes, making->process_count, making->trace, split,
                                 making->summary, error))
        return -1;
    for (size_t i = 0; i < making->process_count; i++)
        calls += making->processes[i].calls - making->processes[i].fills;
    making->summary->calls = calls;
    return calls ? 0 : fail_without_calls(making, error);
}

/* ---- how much of the run that is ---- */

struct counted {
    uint64_t calls, data_calls;
};

static void count_left_out(const struct fth_proxy_summary *summary, struct counted *counted)
{
    for (size_t i = 0; i < summary->left_out_count; i++) {
        const struct fth_proxy_left_out *left = &summary->left_out[i];
        bool moves = fth_kind_reads(left->function->kind) || fth_kind_writes(left->function->kind);
        counted->calls += left->calls;
        counted->data_calls += moves ? left->calls : 0;
    }
}

static bool is_repeated(const struct making *making, size_t proc)
{
    for (size_t i = 0; i < making->process_count; i++)
        if (making->processes[i].proc == proc)
            return true;
    return false;
}

/* What the program would make of a process that it leaves out, and what not. */
static int count_other(struct making *making, size_t proc, struct counted *counted,
                       struct fth_error **error)
{
    struct fth_proxy_summary summary = {0};
    struct fth_proxy_calls kept;
    int more = fth_kept_calls_open(&kept, making->trace, proc, NULL, &summary, error);
    while (more >= 0 && (more = fth_kept_calls_next(&kept, error)) == 1) {
        counted->calls++;
        counted->data_calls += kept.access.call.reads || kept.access.call.writes;
    }
    if (kept.calls)
        fth_kept_calls_close(&kept);
    count_left_out(&summary, counted);
    fth_proxy_summary_free(&summary);
    return more < 0 ? -1 : 0;
}

static int count_run(struct making *making, struct fth_error **error)
{
    uint64_t data_calls = 0;
    for (size_t i = 0; i < making->process_count; i++)
        data_calls += making->processes[i].data_calls;
    struct counted counted = {making->summary->calls, data_calls};
    count_left_out(making->summary, &counted);
    for (size_t i = 0; i < fth_trace_process_count(making->trace); i++)
        if (!fth_trace_process(making->trace, i)->launcher && !is_repeated(making, i) &&
            count_other(making, i, &counted, error))
            return -1;
    making->summary->run_calls = counted.calls;
    char of[48] = "";
    if (!fth_trace_process(making->trace, making->processes[0].proc)->mpi)
        snprintf(of, sizeof of, " of process %zu", making->processes[0].proc);
    if (counted.data_calls && !data_calls)
        return fth_fail(error,
                        "the program%s would repeat %" PRIu64 " of %" PRIu64
                        " calls of the run, and none of the %" PRIu64
                        " that read or write: other processes make these, or they cannot be "
                        "repeated (handles of no repeated call, other threads); without MPI a "
                        "program repeats one process: choose it with --process (`fathom info` "
                        "lists them), or repeat all of them with `fathom replay`",
                        of, making->summary->calls, counted.calls, counted.data_calls);
    return 0;
}

/* Do all ranks do the same until they know who they are? */
static bool start_alike(const struct making *making)
{
    const struct fth_proxy_process *first = &making->processes[0];
    for (size_t i = 0; i < making->process_count; i++) {
        const struct fth_proxy_process *process = &making->processes[i];
        if (!process->start.to ||
            !fth_sequence_is_like(first, &first->start, process, &process->start))
            return false;
        for (uint32_t k = 0; k < process->start.symbols.count; k++) {
            uint32_t count = fth_statement_form(process, &process->start, k)->form.number_count;
            if (memcmp(process->start.statements[k].first, first->start.statements[k].first,
                       count * sizeof(int64_t)))
                return false;
        }
    }
    return true;
}

/* ---- bodies ---- */

static void add_member(struct fth_body *body, struct fth_proxy_process *process)
{
    FTH_GROW(body->members, body->member_count);
    body->members[body->member_count++] = process;
}

static void group(struct making *making, struct fth_proxy_process *process)
{
    if (!process->rest.grammar)
        return;
    for (size_t i = 0; i < making->body_count; i++) {
        const struct fth_proxy_process *other = making->bodies[i].members[0];
        if (fth_sequence_is_like(other, &other->rest, process, &process->rest)) {
            add_member(&making->bodies[i], process);
            return;
        }
    }
    FTH_GROW(making->bodies, making->body_count);
    making->bodies[making->body_count] = (struct fth_body){0};
    add_member(&making->bodies[making->body_count++], process);
}

static int make_body(struct making *making, struct fth_body *body, struct fth_error **error)
{
    if (fth_body_build(body, error) || fth_body_fit(body, making->trace, error))
        return -1;
    return 0;
}

static int make_bodies(struct making *making, bool has_start, struct fth_error **error)
{
    for (size_t i = 0; i < making->process_count; i++) {
        if (has_start)
            add_member(&making->start, &making->processes[i]);
        group(making, &making->processes[i]);
    }
    making->start.is_start = true;
    making->summary->groups = making->body_count;
    if (has_start)
        making->summary->statements += fth_body_sequence(&making->start, 0)->symbols.count;
    for (size_t i = 0; i < making->body_count; i++)
        making->summary->statements += fth_body_sequence(&making->bodies[i], 0)->symbols.count;
    if (fth_proxy_merge_groups(making->bodies, &making->body_count, error))
        return -1;
    if (has_start && make_body(making, &making->start, error))
        return -1;
    for (size_t i = 0; i < making->body_count; i++)
        if (make_body(making, &making->bodies[i], error))
            return -1;
    making->summary->processes = making->process_count;
    making->summary->others = making->others;
    making->summary->proc = making->processes[0].proc;
    return 0;
}

/* ---- text ---- */

static void write_texts(struct making *making)
{
    struct fth_writing *writing = &making->writing;
    const struct fth_proxy_parts parts = {writing,        making->processes, making->process_count,
                                          making->in_mpi, making->asks,      &making->start,
                                          making->bodies, making->body_count};
    writing->trace = making->trace;
    writing->settings = making->settings;
    fth_proxy_write_main(&parts);
    fth_proxy_write_files(writing, making->places,
                          fth_trace_process(making->trace, making->processes[0].proc)->directory,
                          making->summary, &making->files);
}

static int write_files(struct making *making, struct fth_error **error)
{
    const struct fth_program_files *files = &making->files;
    const char *folder = making->settings->folder;
    if (fth_proxy_folder_make(folder, error) ||
        fth_proxy_folder_put(folder, "proxy.c", files->source, 0, error) ||
        fth_proxy_folder_put(folder, "tables.h", files->tables, 0, error) ||
        fth_proxy_folder_put(folder, "CMakeLists.txt", files->cmake, 0, error) ||
        fth_proxy_folder_put(folder, "prepare.sh", files->prepare, 0755, error))
        return -1;
    for (const char *at = files->source; (at = strchr(at, '\n')); at++)
        making->summary->lines++;
    making->summary->least_ranks = making->writing.least_ranks;
    making->summary->most_ranks = making->writing.most_ranks;
    making->summary->why_ranks = making->writing.why_ranks;
    making->writing.why_ranks = NULL;
    making->summary->prepares = files->prepare != NULL;
    making->summary->foreign = files->foreign;
    making->summary->with_mpi = making->in_mpi;
    return 0;
}

/* Can all amounts and places grow alike? */
static int check_sizes(const struct making *making, struct fth_error **error)
{
    for (size_t i = 0; i < making->process_count && making->settings->grows; i++)
        for (uint32_t k = 0; k < making->processes[i].forms.count; k++) {
            const struct fth_form *form = &making->processes[i].known[k].form;
            const char *why = fth_proxy_why_fixed(form);
            if (why)
                return fth_fail(error,
                                "sizes of this program cannot be a parameter: %s (%s); leave out "
                                "--sizes",
                                why, form->row->name);
        }
    for (size_t i = 0; i < fth_repeat_place_count(making->places) && making->settings->grows; i++)
        if (fth_repeat_place_at(making->places, i)->line_count)
            return fth_fail(error, "sizes of this program cannot be a parameter: it reads lines of "
                                   "a file; leave out --sizes");
    return 0;
}

/* Interpreters read files of their own before, in another order on each rank. */
static int begin_with_mpi(struct making *making, struct fth_error **error)
{
    for (size_t i = 0; i < making->process_count; i++)
        making->processes[i].only_started = true;
    if (read_processes(making, FTH_SPLIT_START, error))
        return -1;
    if (start_alike(making))
        return 0;
    return fth_fail(error, "the ranks do not all start MPI alike: their calls of MPI differ up to "
                           "there, or none of the first calls starts it; that cannot be made a "
                           "program");
}

static int make(struct making *making, struct fth_error **error)
{
    if (choose_processes(making, error) || check_complete(making, error) ||
        find_places(making, error) ||
        read_processes(making, making->in_mpi ? FTH_SPLIT_RANK : FTH_SPLIT_NOWHERE, error))
        return -1;
    if (making->in_mpi && !start_alike(making)) {
        making->asks = true;
        if (read_processes(making, FTH_SPLIT_START, error))
            return -1;
        if (!start_alike(making) && begin_with_mpi(making, error))
            return -1;
    }
    if (count_run(making, error) || make_bodies(making, making->in_mpi, error) ||
        check_sizes(making, error))
        return -1;
    write_texts(making);
    return write_files(making, error);
}

static void free_making(struct making *making)
{
    for (size_t i = 0; i < making->process_count; i++)
        fth_proxy_process_free(&making->processes[i]);
    free(making->processes);
    fth_body_free(&making->start);
    for (size_t i = 0; i < making->body_count; i++)
        fth_body_free(&making->bodies[i]);
    free(making->bodies);
    fth_repeat_places_free(making->places);
    struct fth_writing *writing = &making->writing;
    free(writing->functions.text);
    free(writing->main.text);
    free(writing->tables.text);
    free(writing->declarations.text);
    free(writing->why_ranks);
    for (uint32_t i = 0; i < writing->class_limit; i++)
        free(writing->classes[i].type);
    free(writing->classes);
    fth_intern_free(&writing->anonymous);
    fth_intern_free(&writing->counting);
    fth_intern_free(&writing->used);
    free(making->files.source);
    free(making->files.tables);
    free(making->files.cmake);
    free(making->files.prepare);
}

int fth_proxy_write(struct fth_trace *trace, const struct fth_proxy_settings *settings,
                    struct fth_proxy_summary *summary, struct fth_error **error)
{
    struct making making = {.trace = trace, .settings = settings, .summary = summary};
    *summary = (struct fth_proxy_summary){0};
    int result = make(&making, error);
    free_making(&making);
    return result;
}
