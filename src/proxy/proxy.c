/* From a trace to the files of a program: reads its processes, puts those alike together, fits
 * their numbers and writes. */
#include "proxy/proxy.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "model/reading/trace_functions.h"
#include "proxy/body_fit.h"
#include "proxy/main_text.h"
#include "proxy/merge_groups.h"
#include "proxy/proxy_processes.h"
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
    struct fth_proxy_processes processes;
    bool asks;               /* the program asks for its rank, which the run did not do, or later */
    struct fth_body start;   /* until the rank is known; without members: there is none */
    struct fth_body *bodies; /* of roots */
    size_t body_count;
    struct fth_body *programs; /* of what they start: by number, from 1 */
    struct fth_writing writing;
    struct fth_program_files files;
};

/* ---- what is repeated ---- */

static int check_complete(const struct making *making, struct fth_error **error)
{
    for (size_t i = 0; i < making->processes.count; i++) {
        size_t proc = making->processes.list[i].proc;
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

static int fail_without_calls(const struct making *making, struct fth_error **error)
{
    const char *what = "calls that a program could repeat: they are outermost calls of MPI, or on "
                       "files of the program's own";
    size_t proc = making->processes.list[0].proc;
    if (making->processes.count > 1 || fth_trace_process(making->trace, proc)->mpi)
        return fth_fail(error, "the trace has no %s", what);
    if (fth_trace_process_count(making->trace) == 1)
        return fth_fail(error, "process %zu, the only one, has no %s", proc, what);
    return fth_fail(error,
                    "process %zu has no %s; choose another one with --process (`fathom info` lists "
                    "them), or repeat all of them with `fathom replay`",
                    proc, what);
}

static int read_processes(struct making *making, enum fth_proxy_split split,
                          struct fth_error **error)
{
    uint64_t calls = 0;
    if (fth_proxy_processes_read(&making->processes, split, making->summary, error))
        return -1;
    for (size_t i = 0; i < making->processes.count; i++) {
        const struct fth_proxy_process *process = &making->processes.list[i];
        calls += process->calls - process->fills - process->steps;
    }
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
    for (size_t i = 0; i < making->processes.count; i++)
        if (making->processes.list[i].proc == proc)
            return true;
    return false;
}

/* What the program would make of a process that it leaves out, and what not. */
static int count_other(struct making *making, size_t proc, struct counted *counted,
                       struct fth_error **error)
{
    struct fth_proxy_summary summary = {0};
    struct fth_proxy_calls kept;
    const struct fth_proxy_scope scope = {.ways = making->processes.ways};
    int more =
        fth_kept_calls_open(&kept, making->trace, proc, FTH_ALL_THREADS, &scope, &summary, error);
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

static int fail_without_data(const struct making *making, const struct counted *counted,
                             struct fth_error **error)
{
    char of[48] = "";
    if (making->processes.count == 1 && !making->processes.in_mpi)
        snprintf(of, sizeof of, " of process %zu", making->processes.list[0].proc);
    return fth_fail(error,
                    "the program%s would repeat %" PRIu64 " of %" PRIu64
                    " calls of the run, and none of the %" PRIu64
                    " that read or write: other processes make these, or they cannot be "
                    "repeated (handles of no repeated call, other threads); without MPI one "
                    "process can be chosen with --process (`fathom info` lists them); `fathom "
                    "replay` repeats all of them",
                    of, making->summary->calls, counted->calls, counted->data_calls);
}

static int count_run(struct making *making, struct fth_error **error)
{
    uint64_t data_calls = 0;
    for (size_t i = 0; i < making->processes.count; i++)
        data_calls += making->processes.list[i].data_calls;
    struct counted counted = {making->summary->calls, data_calls};
    count_left_out(making->summary, &counted);
    for (size_t i = 0; i < fth_trace_process_count(making->trace); i++)
        if (!fth_trace_process(making->trace, i)->launcher && !is_repeated(making, i) &&
            count_other(making, i, &counted, error))
            return -1;
    making->summary->run_calls = counted.calls;
    return counted.data_calls && !data_calls ? fail_without_data(making, &counted, error) : 0;
}

/* Do all ranks do the same until they know who they are? */
static bool start_alike(const struct making *making)
{
    const struct fth_proxy_process *first = &making->processes.list[0];
    for (size_t i = 0; i < making->processes.root_count; i++) {
        const struct fth_proxy_process *process = &making->processes.list[i];
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

static int by_number(const void *left, const void *right)
{
    const struct fth_proxy_process *one = *(struct fth_proxy_process *const *)left,
                                   *other = *(struct fth_proxy_process *const *)right;
    return (one->rank > other->rank) - (one->rank < other->rank);
}

/* Of the processes that are started, those with one program. */
static int make_programs(struct making *making, struct fth_error **error)
{
    const struct fth_proxy_processes *processes = &making->processes;
    making->programs = fth_new(processes->programs + 2, sizeof *making->programs);
    for (size_t i = processes->root_count; i < processes->count; i++) {
        struct fth_proxy_process *process = &processes->list[i];
        struct fth_body *body = &making->programs[process->program];
        const struct fth_relatives_member *member =
            process->thread ? NULL : &processes->scope.relatives->members[process->proc];
        add_member(body, process);
        body->program = process->program;
        body->ends_itself = member && member->ends_itself && !member->is_new_program;
    }
    for (uint32_t i = 1; i <= processes->programs; i++) {
        qsort(making->programs[i].members, making->programs[i].member_count,
              sizeof *making->programs[i].members, by_number);
        making->summary->statements += fth_body_sequence(&making->programs[i], 0)->symbols.count;
        if (make_body(making, &making->programs[i], error))
            return -1;
    }
    return 0;
}

static int make_bodies(struct making *making, bool has_start, struct fth_error **error)
{
    const struct fth_proxy_processes *processes = &making->processes;
    for (size_t i = 0; i < processes->root_count; i++) {
        if (has_start)
            add_member(&making->start, &processes->list[i]);
        group(making, &processes->list[i]);
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
    making->summary->processes = processes->process_count;
    making->summary->threads = processes->count - processes->process_count;
    making->summary->roots = processes->root_count;
    for (size_t i = 0; i < fth_trace_process_count(making->trace); i++)
        if (!fth_trace_process(making->trace, i)->launcher && !is_repeated(making, i)) {
            FTH_GROW(making->summary->other_procs, making->summary->others);
            making->summary->other_procs[making->summary->others++] = i;
        }
    making->summary->proc = processes->list[0].proc;
    return make_programs(making, error);
}

/* ---- text ---- */

static void write_texts(struct making *making)
{
    struct fth_writing *writing = &making->writing;
    const struct fth_proxy_processes *processes = &making->processes;
    const struct fth_proxy_parts parts = {
        .writing = writing,
        .processes = processes->list,
        .process_count = processes->root_count,
        .all_count = processes->count,
        .in_mpi = processes->in_mpi,
        .asks = making->asks,
        .start = &making->start,
        .bodies = making->bodies,
        .body_count = making->body_count,
        .programs = making->programs,
        .program_count = processes->programs,
    };
    writing->trace = making->trace;
    writing->settings = making->settings;
    fth_proxy_write_main(&parts);
    fth_proxy_write_files(writing, processes->places,
                          fth_trace_process(making->trace, processes->list[0].proc)->directory,
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
    making->summary->with_mpi = making->processes.in_mpi;
    return 0;
}

/* Can all amounts and places grow alike? */
static int check_sizes(const struct making *making, struct fth_error **error)
{
    const struct fth_proxy_processes *processes = &making->processes;
    const char *cannot = "sizes of this program cannot be a parameter";
    if (!making->settings->grows)
        return 0;
    if (processes->programs)
        return fth_fail(error, "%s: it starts processes or threads; leave out --sizes", cannot);
    for (size_t i = 0; i < processes->count; i++)
        for (uint32_t k = 0; k < processes->list[i].forms.count; k++) {
            const struct fth_form *form = &processes->list[i].known[k].form;
            const char *why = fth_proxy_why_fixed(form);
            if (why)
                return fth_fail(error, "%s: %s (%s); leave out --sizes", cannot, why,
                                form->row->name);
        }
    for (size_t i = 0; i < fth_repeat_place_count(processes->places); i++)
        if (fth_repeat_place_at(processes->places, i)->line_count)
            return fth_fail(error, "%s: it reads lines of a file; leave out --sizes", cannot);
    return 0;
}

/* Interpreters read files of their own before, in another order on each rank. */
static int begin_with_mpi(struct making *making, struct fth_error **error)
{
    for (enum fth_proxy_skips skips = FTH_SKIP_SYSTEM; skips <= FTH_SKIP_FILES; skips++) {
        for (size_t i = 0; i < making->processes.root_count; i++)
            making->processes.list[i].skips = skips;
        if (read_processes(making, FTH_SPLIT_START, error))
            return -1;
        if (start_alike(making))
            return 0;
    }
    return fth_fail(error, "the ranks do not all start MPI alike: their calls of MPI differ up to "
                           "there, or none of the first calls starts it; that cannot be made a "
                           "program");
}

static int make(struct making *making, struct fth_error **error)
{
    bool in_mpi;
    if (fth_proxy_processes_choose(&making->processes, making->trace, making->settings->process,
                                   error) ||
        check_complete(making, error))
        return -1;
    in_mpi = making->processes.in_mpi;
    if (read_processes(making, in_mpi ? FTH_SPLIT_RANK : FTH_SPLIT_NOWHERE, error))
        return -1;
    if (in_mpi && !start_alike(making)) {
        making->asks = true;
        if (read_processes(making, FTH_SPLIT_START, error))
            return -1;
        if (!start_alike(making) && begin_with_mpi(making, error))
            return -1;
    }
    if (count_run(making, error) || make_bodies(making, in_mpi, error) ||
        check_sizes(making, error))
        return -1;
    write_texts(making);
    return write_files(making, error);
}

static void free_making(struct making *making)
{
    fth_body_free(&making->start);
    for (size_t i = 0; i < making->body_count; i++)
        fth_body_free(&making->bodies[i]);
    free(making->bodies);
    for (uint32_t i = 1; making->programs && i <= making->processes.programs; i++)
        fth_body_free(&making->programs[i]);
    free(making->programs);
    fth_proxy_processes_free(&making->processes);
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
    fth_keyed_free(&writing->named_ranks);
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
