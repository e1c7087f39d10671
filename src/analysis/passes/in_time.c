/* How the accesses of all processes to a file follow one another in time, which is how its server
 * sees them: a file that ranks write in turn is accessed in a row though each rank leaves gaps, and
 * one that each rank accesses in a row may be accessed here and there.
 *
 * While processes are gone through, one after the other, each thread counts for itself. Where the
 * times of threads do not overlap these counts are joined; the processes of all other files are
 * gone through once more, all at the same time, in order of time. So memory grows with processes
 * and files, not with calls. Only calls on descriptors count: they are what leaves the process.
 *
 * An access comes before another one if its call began before; of calls that began in the same
 * instant, that of the process with the lower number. Clocks of nodes are as the trace has them. A
 * call that began while one of another thread was under way, or may have been as clocks are not
 * known better, is counted as `beside`: nobody knows which of them the file system served first. */
#include "analysis/passes/passes.h"

#include "analysis/survey/run_files.h"
#include "analysis/passes/in_time.h"
#include "analysis/passes/finding_texts.h"
#include "analysis/survey/call_walk.h"
#include "base/memory.h"

#include <string.h>

enum column {
    OF,
    FILE_PATH,
    FILE_HOST,
    PROCESSES,
    ACCESSES,
    EACH,
    CONSECUTIVE,
    SEQUENTIAL,
    RANDOM,
    BESIDE
};
static const struct fth_column columns[] = {
    {"of", "of", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"accesses", "accesses", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"consecutive_each", "consecutive per thread", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"consecutive", "consecutive overall", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"sequential", "sequential", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"random", "random", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"beside", "order unknown", FTH_UNIT_PERCENT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape shape = {"order", "Order of accesses, all processes together",
                                       columns, sizeof columns / sizeof *columns, 0};

struct process {
    size_t proc;
    struct fth_indexed spans; /* of struct fth_in_time_span, by file and thread */
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed files; /* of struct fth_in_time_file */
};

/* ---- a process ---- */

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct fth_in_time_file);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->spans.size = sizeof(struct fth_in_time_span);
    return process;
}

static struct fth_in_time_span *span_of(struct process *process, const struct fth_frame *frame)
{
    return !frame->data.ranges || !frame->class->data || !frame->class->system ||
                   !frame->data.bytes || frame->of_library ||
                   frame->data.behind <= frame->data.first
               ? NULL
               : fth_indexed_get(&process->spans, frame->file.number, frame->thread);
}

static void go_on(struct fth_in_time_span *span, const struct process *process,
                  const struct fth_frame *frame, uint64_t first, int64_t began)
{
    if (span->begun)
        fth_in_time_count(&span->order, span->next, first, 1);
    else
        *span = (struct fth_in_time_span){.began = began,
                                          .first = first,
                                          .proc = (uint32_t)process->proc,
                                          .thread = frame->thread,
                                          .begun = true};
}

/* Several in a row are `step` behind one another. */
static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    struct fth_in_time_span *span = span_of(process, frame);
    if (!span)
        return;
    uint64_t more = frame->calls - 1, step = (uint64_t)frame->data.step;
    int64_t ended =
        more ? frame->times.behind[(more - 1) * frame->times.apart].end : frame->times.end;
    go_on(span, process, frame, frame->data.first, frame->times.began);
    if (more)
        fth_in_time_count(&span->order, frame->data.behind, frame->data.first + step, more);
    span->next = frame->data.behind + more * step;
    span->ended = ended > span->ended ? ended : span->ended;
}

static void turns(void *state, const struct fth_frames_in_turn *turns)
{
    struct process *process = state;
    struct fth_in_time_span *spans[FTH_MOST_ROUND];
    for (uint32_t k = 0; k < turns->count; k++)
        spans[k] = span_of(process, turns->frames[k].first);
    for (uint64_t i = 0; i < turns->frames[0].all->calls; i++)
        for (uint32_t k = 0; k < turns->count; k++) {
            const struct fth_frame_in_turn *frame = &turns->frames[k];
            const struct fth_again_time *time = &frame->times[i * turns->apart];
            uint64_t way = i * (uint64_t)frame->all->data.step;
            if (!spans[k] || i >= frame->all->calls)
                continue;
            go_on(spans[k], process, frame->all, frame->first->data.first + way, time->start);
            spans[k]->next = frame->first->data.behind + way;
            spans[k]->ended = time->end > spans[k]->ended ? time->end : spans[k]->ended;
        }
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->spans;
}

/* ---- all of them ---- */

static uint64_t count_all(const struct fth_in_time *order)
{
    return order->consecutive + order->ahead + order->back;
}

static void add_span(struct fth_in_time_file *file, const struct fth_in_time_span *span)
{
    if (!file->proc_count || file->procs[file->proc_count - 1] != span->proc) {
        FTH_GROW(file->procs, file->proc_count);
        file->procs[file->proc_count++] = span->proc;
        file->processes++;
    }
    file->accesses += 1 + count_all(&span->order);
    file->each.consecutive++;
    fth_in_time_add(&file->each, &span->order);
    if (file->span_count < FTH_IN_TIME_SPANS) {
        FTH_GROW(file->spans, file->span_count);
        file->spans[file->span_count] = *span;
    }
    file->span_count++;
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < process->spans.count; i++) {
        uint32_t number = files[fth_indexed_at(&process->spans, i)->number];
        if (!run->survey->files[number].noise)
            add_span(fth_indexed_get(&run->files, number, 0), fth_indexed_item(&process->spans, i));
    }
    fth_indexed_free(&process->spans);
    free(process);
}

/* ---- in order of time ---- */

static int64_t error_of(const void *context, uint32_t proc, uint32_t other)
{
    const struct run *run = context;
    const struct fth_process *one = fth_trace_process(run->survey->trace, proc),
                             *two = fth_trace_process(run->survey->trace, other);
    int64_t sum;
    if (proc == other || (one->host && two->host && strcmp(one->host, two->host) == 0))
        return 0;
    if (one->clock_error < 0 || two->clock_error < 0 ||
        __builtin_add_overflow(one->clock_error, two->clock_error, &sum))
        return INT64_MAX;
    return sum;
}

/* Those of files whose accesses are mixed; false: there is none. */
static bool choose(struct run *run, struct fth_selection *selection)
{
    bool *chosen = fth_new(fth_trace_process_count(run->survey->trace) + 1, sizeof *chosen),
         any = false;
    for (uint32_t i = 0; i < run->files.count; i++) {
        struct fth_in_time_file *file = fth_indexed_item(&run->files, i);
        fth_in_time_join(file, error_of, run);
        for (size_t k = 0; file->mixed && k < file->proc_count; k++)
            chosen[file->procs[k]] = any = true;
    }
    for (size_t proc = 0; proc < fth_trace_process_count(run->survey->trace); proc++)
        if (chosen[proc] &&
            !fth_analysis_add_integers(&selection->procs, (int64_t)proc, (int64_t)proc))
            fth_out_of_memory();
    free(chosen);
    return any;
}

/* The numbers in the run of the files of a process, + 1; 0: not asked yet. */
struct numbers {
    uint32_t *of;
    uint32_t limit;
};

static uint32_t number_of(struct numbers *numbers, struct fth_run_files *files, size_t proc,
                          uint32_t own, const char *path)
{
    numbers->of = fth_reach(numbers->of, &numbers->limit, own, sizeof *numbers->of);
    if (!numbers->of[own] || !own) {
        struct fth_intern paths = {0};
        fth_intern(&paths, path, strlen(path) + 1);
        uint32_t *number = fth_run_files_add(files, proc, &paths);
        numbers->of[own] = *number + 1;
        free(number);
        fth_intern_free(&paths);
    }
    return numbers->of[own] - 1;
}

static void see(struct run *run, uint32_t number, const struct fth_call *call,
                const struct fth_range *first, uint64_t behind)
{
    struct fth_in_time_file *file = fth_indexed_get(&run->files, number, 0);
    const struct fth_in_time_span access = {.began = call->start,
                                            .ended = call->end,
                                            .first = first->offset,
                                            .next = behind,
                                            .proc = (uint32_t)call->proc,
                                            .thread = call->thread};
    if (file->mixed)
        fth_in_time_next(file, &access, error_of, run);
}

static void see_access(struct run *run, struct fth_run_files *files, struct numbers *numbers,
                       const struct fth_access *access, struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    const struct fth_call_class *class = fth_call_class_of(run->survey->classes, call->function);
    struct fth_range hull, range;
    uint64_t behind = 0, count = 0;
    if (!call->file_number || !class->data || !class->system || call->error_number)
        return;
    uint32_t number =
        number_of(&numbers[call->proc], files, call->proc, call->file_number, call->file);
    for (; count < FTH_MANY_RANGES && fth_accesses_range(accesses, &range); count++) {
        hull.offset = count && hull.offset < range.offset ? hull.offset : range.offset;
        behind = range.offset + range.length > behind ? range.offset + range.length : behind;
    }
    if (count && behind > hull.offset)
        see(run, number, call, &hull, behind);
    if (access->second.known && access->second.file && access->second.range.length)
        see(run, number_of(&numbers[call->proc], files, call->proc, 0, access->second.file), call,
            &access->second.range, access->second.range.offset + access->second.range.length);
}

/* Where only some calls are chosen it stays unknown, as those around them are not distinguished
 * here. */
static bool again(void *state, struct fth_run_files *files, struct fth_error **error)
{
    struct run *run = state;
    struct fth_trace *trace = run->survey->trace;
    struct fth_selection selection;
    const struct fth_call *call;
    int more = 0;
    fth_analysis_selection_init(&selection);
    if (choose(run, &selection) && !run->survey->selection->where) {
        size_t count = fth_trace_process_count(trace);
        struct numbers *numbers = fth_new(count + 1, sizeof *numbers);
        struct fth_run_walk *walk =
            fth_analysis_walk_open(trace, &selection, FTH_WALK_BY_TIME, NULL, error);
        if (walk)
            fth_analysis_walk_accesses(walk);
        more = walk ? 1 : -1;
        while (more > 0 && (more = fth_analysis_walk_next(walk, &call, error)) > 0) {
            struct fth_accesses *accesses;
            const struct fth_access *access = fth_analysis_walk_access(walk, &accesses);
            see_access(run, files, numbers, access, accesses);
        }
        for (uint32_t i = 0; !more && i < run->files.count; i++) {
            struct fth_in_time_file *file = fth_indexed_item(&run->files, i);
            file->known |= file->mixed;
        }
        fth_analysis_walk_close(walk);
        for (size_t i = 0; i < count; i++)
            free(numbers[i].of);
        free(numbers);
    }
    fth_analysis_selection_free(&selection);
    return more == 0;
}

/* ---- the table ---- */

/* `which`: NULL: all of them. */
static void add_row(struct fth_table *table, const char *of, const struct fth_survey_file *which,
                    const struct fth_in_time_file *file)
{
    size_t row = fth_table_add_row(table);
    uint64_t each_count = count_all(&file->each), all = count_all(&file->all);
    fth_table_set(table, row, OF, fth_cell_text(of));
    if (which)
        fth_run_files_put(table, row, FILE_PATH, which);
    fth_table_increase(table, row, PROCESSES, file->processes);
    fth_table_increase(table, row, ACCESSES, file->accesses);
    fth_table_set(table, row, EACH, fth_finding_percent(file->each.consecutive, each_count));
    if (!file->known)
        return;
    fth_table_set(table, row, CONSECUTIVE, fth_finding_percent(file->all.consecutive, all));
    fth_table_set(table, row, SEQUENTIAL,
                  fth_finding_percent(file->all.consecutive + file->all.ahead, all));
    fth_table_set(table, row, RANDOM, fth_finding_percent(file->all.back, all));
    if (file->processes > 1 || file->beside)
        fth_table_set(table, row, BESIDE, fth_finding_percent(file->beside, all));
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    struct fth_in_time_file whole = {.known = true};
    bool *seen = fth_new(fth_trace_process_count(run->survey->trace) + 1, sizeof *seen);
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct fth_in_time_file *file = fth_indexed_item(&run->files, i);
        if (!file->accesses) /* a file of the system */
            continue;
        whole.accesses += file->accesses;
        for (size_t k = 0; k < file->proc_count; k++) {
            whole.processes += !seen[file->procs[k]];
            seen[file->procs[k]] = true;
        }
        fth_in_time_add(&whole.each, &file->each);
        fth_in_time_add(&whole.all, &file->all);
        whole.beside += file->beside;
        whole.known &= file->known;
        add_row(table, "file", &run->survey->files[fth_indexed_at(&run->files, i)->number], file);
    }
    if (whole.accesses)
        add_row(table, "all files", NULL, &whole);
    fth_table_sort_by_sum(table, (size_t[]){ACCESSES}, 1);
    fth_results_add(results, table);
    free(seen);
    for (uint32_t i = 0; i < run->files.count; i++)
        fth_in_time_free(fth_indexed_item(&run->files, i));
    fth_indexed_free(&run->files);
    free(run);
}

const struct fth_pass fth_pass_in_time = {
    "in_time", begin, open_process,         NULL, merge, finish, each, by_file,
    again,     turns, fth_pass_takes_rounds};
