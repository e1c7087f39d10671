/* The survey: a stack of open calls for each thread of a process, and a crew of threads that take one process after the other. */
#include "analysis/survey.h"

#include "analysis/files.h"
#include "analysis/sites.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/second_path.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* ---- calls around one another ---- */

const struct fth_frame *fth_frame_asked(const struct fth_frame *frame)
{
    const struct fth_frame *asked = frame;
    for (; frame; frame = fth_frame_around(frame))
        if (frame->work->io)
            asked = frame;
    return asked;
}

const struct fth_frame *fth_frame_above(const struct fth_frame *frame)
{
    for (const struct fth_frame *above = fth_frame_around(frame); above;
         above = fth_frame_around(above))
        if (above->work->io && above->work->layer != frame->work->layer)
            return above;
    return NULL;
}

/* Open calls of a thread, the innermost last. Frames stay where they are: inner ones point to them. */
struct stack {
    size_t depth, room;
    struct fth_frame **frames;
    struct place {
        uint32_t site, around; /* FTH_NO_SITE */
    } * places;                /* of these frames */
};

/* A process that is being gone through. */
struct visit {
    const struct fth_survey *survey;
    const struct fth_pass *const *passes;
    size_t pass_count;
    const struct fth_listener *listener;
    void *listening;
    size_t proc;
    void **states;
    struct fth_intern paths;
    struct pieces {
        uint64_t block, servers;
    } * pieces; /* that paths are in */
    uint32_t piece_limit;
    uint32_t *handle_files; /* by number of handle: path + 1; 0: not asked yet */
    uint32_t handle_limit;
    struct stack *threads;
    uint32_t thread_limit;
    struct fth_survey_sites sites;
    struct fth_around *around; /* for the expression that chooses calls; NULL: all are looked at */
};

static void add_below(struct fth_moved *sum, const struct fth_moved *more)
{
    if (!more->calls)
        return;
    if (more->behind > more->first) {
        bool none = sum->behind <= sum->first;
        sum->first = none || more->first < sum->first ? more->first : sum->first;
        sum->behind = none || more->behind > sum->behind ? more->behind : sum->behind;
    }
    sum->calls += more->calls;
    sum->bytes += more->bytes;
    sum->time += more->time;
}

/* What a call, now over, was for the one around it. */
static void pass_up(struct fth_frame *around, const struct fth_frame *frame)
{
    around->inside += frame->end - frame->start;
    around->messages += frame->work->messages ? frame->end - frame->start : frame->messages;
    for (int writes = 0; writes < 2; writes++)
        add_below(&around->below[writes], &frame->below[writes]);
    if (frame->work->system && frame->work->data && !frame->failed &&
        !frame->below[frame->writes].calls) {
        struct fth_moved self = {1, frame->bytes, frame->end - frame->start, frame->first,
                                 frame->behind};
        add_below(&around->below[frame->writes], &self);
    }
}

/* ---- what passes are told ---- */

static bool is_for_each(const struct fth_frame *frame)
{
    return (frame->work->data || frame->work->kind == FTH_WORK_SYNC) && !frame->failed &&
           frame->file != FTH_NO_FILE;
}

static void tell_each(const struct visit *visit, const struct fth_frame *frame)
{
    if (!is_for_each(frame))
        return;
    for (size_t i = 0; i < visit->pass_count; i++)
        if (visit->passes[i]->each)
            visit->passes[i]->each(visit->states[i], frame);
}

static void tell(const struct visit *visit, const struct fth_frame *frame)
{
    for (size_t i = 0; i < visit->pass_count; i++)
        if (visit->passes[i]->call)
            visit->passes[i]->call(visit->states[i], frame);
}

static void tell_sum(const struct visit *visit, struct fth_survey_site *site)
{
    if (site->sum.calls)
        tell(visit, &site->sum);
    site->sum.calls = 0;
}

static void tell_sums(struct visit *visit)
{
    struct fth_survey_sites *sites = &visit->sites;
    for (uint32_t i = 0; i < sites->summed_count; i++)
        tell_sum(visit, sites->items[sites->summed[i]]);
    sites->summed_count = 0;
}

static void add_to_sum(struct visit *visit, uint32_t number, const struct fth_frame *frame)
{
    struct fth_survey_sites *sites = &visit->sites;
    if (!sites->items[number]->sum.calls) {
        sites->summed = fth_reach(sites->summed, &sites->summed_limit, sites->summed_count,
                                  sizeof *sites->summed);
        sites->summed[sites->summed_count++] = number;
    }
    if (!fth_survey_site_add(sites->items[number], frame))
        tell(visit, frame);
}

/* The call, which is over, may come again in calls that are where these are. */
static void keep_frame(struct visit *visit, const struct fth_frame *frame, struct place place)
{
    struct fth_survey_site *site = fth_survey_site(&visit->sites, place.site);
    tell_sum(visit, site);
    site->frame = *frame;
    site->frame.around =
        place.around == FTH_NO_SITE ? NULL : &fth_survey_site(&visit->sites, place.around)->frame;
}

static void end_calls(struct visit *visit, struct stack *stack, size_t depth)
{
    while (stack->depth > depth) {
        struct fth_frame *frame = stack->frames[--stack->depth];
        fth_frame_close(frame);
        if (stack->places[stack->depth].site == FTH_NO_SITE)
            tell_sums(visit);
        if (!frame->left_out) {
            tell_each(visit, frame);
            tell(visit, frame);
        }
        if (frame->around)
            pass_up(stack->frames[stack->depth - 1], frame);
        if (stack->places[stack->depth].site != FTH_NO_SITE)
            keep_frame(visit, frame, stack->places[stack->depth]);
    }
}

static struct stack *stack_of(struct visit *visit, uint32_t thread)
{
    visit->threads =
        fth_reach(visit->threads, &visit->thread_limit, thread, sizeof *visit->threads);
    return &visit->threads[thread];
}

static struct fth_frame *push(struct visit *visit, uint32_t thread, uint32_t depth,
                              struct place place)
{
    struct stack *stack = stack_of(visit, thread);
    end_calls(visit, stack, depth);
    if (stack->depth == stack->room) {
        size_t room = stack->room ? 2 * stack->room : 8;
        stack->frames = fth_resize(stack->frames, room, sizeof *stack->frames);
        stack->places = fth_resize(stack->places, room, sizeof *stack->places);
        for (; stack->room < room; stack->room++)
            stack->frames[stack->room] = fth_new(1, sizeof **stack->frames);
    }
    struct fth_frame *frame = stack->frames[stack->depth];
    *frame = (struct fth_frame){.around = stack->depth ? stack->frames[stack->depth - 1] : NULL};
    stack->places[stack->depth++] = place;
    return frame;
}

/* ---- what a call becomes ---- */

/* On a file system of the node the cache of the kernel lies between a call and the blocks. */
static struct pieces pieces_of(const struct visit *visit, const char *path)
{
    struct fth_file file;
    if (!fth_trace_file(visit->survey->trace, visit->proc, path, &file))
        return (struct pieces){0};
    if (file.stripe_size)
        return (struct pieces){file.stripe_size, file.stripe_count};
    return (struct pieces){file.system->scope == FTH_SCOPE_SHARED ? file.system->block_size : 0, 0};
}

static uint32_t path_number(struct visit *visit, const char *path)
{
    if (!path)
        return FTH_NO_FILE;
    uint32_t before = visit->paths.count,
             number = fth_intern(&visit->paths, path, strlen(path) + 1);
    if (number == before) {
        visit->pieces =
            fth_reach(visit->pieces, &visit->piece_limit, number, sizeof *visit->pieces);
        visit->pieces[number] = pieces_of(visit, path);
    }
    return number;
}

/* Calls on a handle are about its file: paths are compared once for each handle. */
static uint32_t file_of(struct visit *visit, const struct fth_call *call)
{
    if (!call->handle || call->handle->path != call->file)
        return path_number(visit, call->file);
    if (call->handle->number >= UINT32_MAX / 2)
        return path_number(visit, call->file);
    uint32_t number = (uint32_t)call->handle->number;
    visit->handle_files =
        fth_reach(visit->handle_files, &visit->handle_limit, number, sizeof *visit->handle_files);
    if (!visit->handle_files[number])
        visit->handle_files[number] = path_number(visit, call->file) + 1;
    return visit->handle_files[number] - 1;
}

static uint32_t other_of(struct visit *visit, const struct fth_work *work,
                         const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    if (access->second.file)
        return path_number(visit, access->second.file);
    if (work->paths[1] < 0)
        return FTH_NO_FILE;
    char *path = fth_second_path(call->file, call->arguments[work->paths[0]].text,
                                 call->arguments[work->paths[1]].text);
    uint32_t number = path_number(visit, path);
    free(path);
    return number;
}

static void measure_ranges(struct fth_frame *frame, struct fth_accesses *accesses)
{
    struct fth_range range;
    uint64_t last = 0;
    while (frame->ranges < FTH_MANY_RANGES && fth_accesses_range(accesses, &range)) {
        uint64_t behind = range.offset + range.length;
        if (!frame->ranges)
            frame->length = range.length;
        else if (frame->ranges == 1)
            frame->stride = range.offset - last;
        if (frame->ranges && (range.length != frame->length || range.offset <= last ||
                              range.offset - last != frame->stride))
            frame->length = 0;
        last = range.offset;
        frame->first = !frame->ranges || range.offset < frame->first ? range.offset : frame->first;
        frame->behind = behind > frame->behind ? behind : frame->behind;
        frame->ranges++;
    }
    if (frame->ranges == FTH_MANY_RANGES) /* the rest is not looked at */
        frame->first = frame->behind = frame->length = 0;
}

static bool asks_for_lock(const struct visit *visit, const struct fth_work *work,
                          const struct fth_call *call)
{
    struct fth_lock_event lock;
    return (work->kind == FTH_WORK_LOCK || work->kind == FTH_WORK_CONTROL) &&
           fth_call_lock(visit->survey->trace, call, &lock) && lock.deed != FTH_LOCK_RELEASED;
}

static bool has_holes(const struct fth_datatype *type)
{
    return type && type->size != type->true_upper_bound - type->true_lower_bound;
}

/* Is the outermost call around it, but for regions, about something else than I/O? */
static bool is_of_library(const struct fth_frame *frame)
{
    const struct fth_frame *outermost = NULL;
    for (const struct fth_frame *around = frame->around; around; around = around->around)
        if (!around->work->region)
            outermost = around;
    return outermost && !outermost->work->io && outermost->work->kind != FTH_WORK_WAIT &&
           outermost->work->kind != FTH_WORK_TEST && outermost->work->kind != FTH_WORK_START;
}

/* What differs between calls that are alike. */
static void fill_again(struct fth_frame *frame, const struct fth_access *access,
                       struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    frame->number = call->number;
    frame->start = call->start;
    frame->end = call->end;
    frame->failed = call->error_number != 0;
    if (!frame->work->io)
        return;
    if (call->reads || call->writes)
        frame->bytes = call->bytes_known ? call->bytes
                       : call->bytes_asked == FTH_NO_BYTES || call->error_number
                           ? 0
                           : call->bytes_asked;
    if (access->kind != FTH_ACCESS_BYTES)
        return;
    frame->through_view = access->view && has_holes(access->view->filetype);
    measure_ranges(frame, accesses);
}

static void fill(struct visit *visit, struct fth_frame *frame, const struct fth_access *access,
                 struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    frame->function = call->function;
    frame->work = fth_work_of(visit->survey->works, call->function);
    frame->proc = call->proc;
    frame->thread = call->thread;
    frame->depth = call->depth;
    frame->file = frame->work->io ? file_of(visit, call) : FTH_NO_FILE;
    frame->other = FTH_NO_FILE;
    frame->object = call->object != NULL;
    frame->collective = call->collective;
    frame->reads = call->reads;
    frame->writes = call->writes;
    frame->group_size = call->group ? call->group->group_size : 0;
    frame->handle = call->handle ? call->handle->number : FTH_NO_CALL;
    frame->access = call->handle ? call->handle->access : 0;
    if (frame->work->io) {
        if (frame->file != FTH_NO_FILE) {
            frame->block = visit->pieces[frame->file].block;
            frame->servers = visit->pieces[frame->file].servers;
        }
        frame->of_library = is_of_library(frame);
        frame->locks = asks_for_lock(visit, frame->work, call);
        frame->other = other_of(visit, frame->work, access);
    }
    fill_again(frame, access, accesses);
}

/* ---- turns that come again ---- */

/* What calls inside have left in a frame, and its own places. */
static void empty(struct fth_frame *frame)
{
    frame->inside = frame->messages = 0;
    frame->bytes = frame->ranges = frame->first = frame->behind = 0;
    frame->length = frame->stride = 0;
    frame->through_view = false;
    frame->below[0] = frame->below[1] = (struct fth_moved){0};
}

static void end_again(struct visit *visit, uint32_t site)
{
    struct fth_frame *frame = &visit->sites.items[site]->frame;
    fth_frame_close(frame);
    tell_each(visit, frame);
    add_to_sum(visit, site, frame);
    if (frame->around) /* which is a site, too */
        pass_up((struct fth_frame *)(uintptr_t)frame->around, frame);
}

/* Each call has a server of its own. */
static void tell_one_by_one(const struct visit *visit, struct fth_frame frame,
                            const struct fth_again_time *times, uint32_t count, int64_t step)
{
    tell_each(visit, &frame);
    for (uint32_t i = 0; i < count; i++) {
        frame.first += (uint64_t)step;
        frame.behind += (uint64_t)step;
        frame.number++;
        frame.start = times[i].start;
        frame.end = times[i].end;
        fth_frame_close(&frame);
        tell_each(visit, &frame);
    }
}

/* Calls that come right behind the turn, which is of one call, are like it. */
static void end_alike(struct visit *visit, uint32_t number, const struct fth_again_time *times,
                      uint32_t count, int64_t step)
{
    struct fth_frame *frame = &visit->sites.items[number]->frame;
    fth_frame_close(frame);
    const struct fth_frame one = *frame;
    fth_frame_repeat(frame, times, count, step);
    if (visit->listener)
        visit->listener->again(visit->listening, number, times, count);
    if (one.servers > 1)
        tell_one_by_one(visit, one, times, count, step);
    else
        tell_each(visit, frame);
    fth_frame_add_up(frame);
    add_to_sum(visit, number, frame);
}

static void go_through_turn(struct visit *visit, struct fth_accesses *accesses)
{
    uint32_t first, count = fth_accesses_turn(accesses, &first);
    const struct fth_listener *listener = visit->listener;
    const struct fth_again_time *times;
    int64_t step;
    for (uint32_t entry = 0; entry < count; entry++) {
        const struct fth_access *access = fth_accesses_again(accesses, entry);
        if (!entry) /* the turn that is known may be the one right before */
            end_calls(visit, stack_of(visit, access->call.thread), 0);
        struct fth_frame *frame = &visit->sites.items[first + entry]->frame;
        empty(frame);
        fill_again(frame, access, accesses);
        if (listener)
            listener->again(visit->listening, first + entry,
                            &(struct fth_again_time){frame->start, frame->end}, 1);
    }
    uint32_t alike = fth_accesses_alike(accesses, &times, &step);
    if (alike) {
        end_alike(visit, first, times, alike, step);
        return;
    }
    for (uint32_t exit = 0; exit < count; exit++)
        end_again(visit, first + fth_accesses_over(accesses, exit));
}

static bool listen(struct visit *visit, struct fth_accesses *accesses,
                   const struct fth_access *access, uint32_t site, struct fth_error **error)
{
    const struct fth_listener *listener = visit->listener;
    if (!listener)
        return true;
    if (!listener->call(visit->listening, &access->call, error))
        return false;
    if (site != FTH_NO_SITE && !listener->keep(visit->listening, site))
        fth_accesses_refuse(accesses);
    return true;
}

/* ---- a process ---- */

/* Is it left out by the expression that chooses calls? What is inside of a chosen one is not. */
static bool is_left_out(const struct visit *visit, const struct fth_frame *frame,
                        const struct fth_access *access, struct fth_accesses *accesses)
{
    const struct fth_subject subject = {.trace = visit->survey->trace,
                                        .call = &access->call,
                                        .accesses = accesses,
                                        .around = visit->around};
    fth_analysis_around_enter(visit->around, &access->call);
    fth_accesses_rewind(accesses);
    return !fth_frame_around(frame) &&
           !fth_expression_holds(visit->survey->selection->where, &subject);
}

static int go_through(struct visit *visit, struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_with_handles(visit->survey->trace, visit->proc, error);
    if (!calls)
        return -1;
    struct fth_accesses *accesses = fth_accesses_open(visit->survey->trace, visit->proc, calls);
    struct fth_access access;
    int more;
    if (visit->survey->selection->where)
        visit->around = fth_analysis_around_new();
    else
        fth_accesses_know_turns(accesses);
    while ((more = fth_accesses_next(accesses, &access, error)) > 0) {
        if (more == FTH_AGAIN) {
            go_through_turn(visit, accesses);
            continue;
        }
        struct place place;
        place.site = fth_accesses_site(accesses, &place.around);
        if (!listen(visit, accesses, &access, place.site, error)) {
            more = -1;
            break;
        }
        struct fth_frame *frame = push(visit, access.call.thread, access.call.depth, place);
        fill(visit, frame, &access, accesses);
        frame->left_out = visit->around && is_left_out(visit, frame, &access, accesses);
    }
    for (uint32_t thread = 0; !more && thread < visit->thread_limit; thread++)
        end_calls(visit, &visit->threads[thread], 0);
    if (!more)
        tell_sums(visit);
    fth_accesses_close(accesses);
    fth_calls_close(calls);
    return more;
}

static void leave(struct visit *visit)
{
    for (uint32_t thread = 0; thread < visit->thread_limit; thread++) {
        for (size_t i = 0; i < visit->threads[thread].room; i++)
            free(visit->threads[thread].frames[i]);
        free(visit->threads[thread].frames);
        free(visit->threads[thread].places);
    }
    free(visit->threads);
    fth_survey_sites_free(&visit->sites);
    fth_analysis_around_free(visit->around);
    free(visit->pieces);
    free(visit->handle_files);
    free(visit->states);
    fth_intern_free(&visit->paths);
}

/* ---- the run ---- */

struct run {
    struct fth_survey survey;
    struct fth_run_files *files;
    const struct fth_pass *const *passes;
    size_t pass_count;
    const struct fth_listener *listener;
    void **states;
    struct fth_progress *progress;
    size_t *procs; /* that are selected */
    pthread_mutex_t lock;
    pthread_cond_t turn;
    size_t next, merged; /* places in procs: who comes next, whose turn it is to be merged */
    bool failed;
    struct fth_error *error;
};

static void merge(struct run *run, struct visit *visit)
{
    uint32_t *files = fth_run_files_add(run->files, visit->proc, &visit->paths);
    run->survey.files = fth_run_files_list(run->files, &run->survey.file_count);
    for (size_t i = 0; i < run->pass_count; i++)
        run->passes[i]->merge(run->states[i], visit->states[i], files);
    free(files);
    fth_progress_add(run->progress, fth_trace_process(run->survey.trace, visit->proc)->calls);
}

/* One after the other, also when one fails: nobody waits for ever. */
static void visit_process(struct run *run, size_t place)
{
    struct visit visit = {.survey = &run->survey,
                          .passes = run->passes,
                          .pass_count = run->pass_count,
                          .listener = run->listener,
                          .proc = run->procs[place]};
    struct fth_error *error = NULL;
    visit.states = fth_new(run->pass_count + 1, sizeof *visit.states);
    for (size_t i = 0; i < run->pass_count; i++)
        visit.states[i] = run->passes[i]->open(run->states[i], visit.proc);
    if (run->listener)
        visit.listening = run->listener->open(run->listener->context, visit.proc);
    int result = go_through(&visit, &error);
    pthread_mutex_lock(&run->lock);
    while (run->merged != place)
        pthread_cond_wait(&run->turn, &run->lock);
    merge(run, &visit);
    if (run->listener)
        run->listener->close(run->listener->context, visit.listening);
    if (result && !run->failed) {
        run->failed = true;
        run->error = error;
        error = NULL;
        fth_fail_in(&run->error, "cannot read the calls of process %zu", visit.proc);
    }
    run->merged++;
    pthread_cond_broadcast(&run->turn);
    pthread_mutex_unlock(&run->lock);
    fth_error_free(error);
    leave(&visit);
}

static void *work(void *argument)
{
    struct run *run = argument;
    for (;;) {
        pthread_mutex_lock(&run->lock);
        size_t place = run->next;
        bool more = place < run->survey.process_count && !run->failed;
        run->next += more;
        pthread_mutex_unlock(&run->lock);
        if (!more)
            return NULL;
        visit_process(run, place);
    }
}

static void send_crew(struct run *run, unsigned threads)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = threads ? threads : processors > 1 ? (size_t)processors : 1;
    if (count > run->survey.process_count)
        count = run->survey.process_count;
    pthread_t *crew = fth_new(count + 1, sizeof *crew);
    size_t hired = 0;
    while (hired + 1 < count && !pthread_create(&crew[hired], NULL, work, run))
        hired++;
    work(run);
    for (size_t i = 0; i < hired; i++)
        pthread_join(crew[i], NULL);
    free(crew);
}

static void select_processes(struct run *run)
{
    struct fth_survey *survey = &run->survey;
    size_t count = fth_trace_process_count(survey->trace);
    run->procs = fth_new(count + 1, sizeof *run->procs);
    for (size_t proc = 0; proc < count; proc++) {
        if (!fth_analysis_selects_process(survey->selection, survey->trace, proc))
            continue;
        const struct fth_process *process = fth_trace_process(survey->trace, proc);
        run->procs[survey->process_count++] = proc;
        survey->rank_count += process->rank != FTH_NO_RANK;
        survey->whole += process->end > process->start ? process->end - process->start : 0;
    }
}

bool fth_analysis_survey(struct fth_trace *trace, const struct fth_selection *selection,
                         const struct fth_thresholds *thresholds,
                         const struct fth_pass *const *passes, size_t pass_count,
                         const struct fth_listener *listener, unsigned threads,
                         struct fth_progress *progress, struct fth_results *results,
                         struct fth_error **error)
{
    struct fth_works *works = fth_works_new(trace);
    struct run run = {
        .survey = {.trace = trace,
                   .selection = selection,
                   .thresholds = thresholds,
                   .works = works},
        .files = fth_run_files_new(trace),
        .passes = passes,
        .pass_count = pass_count,
        .listener = listener,
        .progress = progress,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .turn = PTHREAD_COND_INITIALIZER,
    };
    select_processes(&run);
    run.states = fth_new(pass_count + 1, sizeof *run.states);
    for (size_t i = 0; i < pass_count; i++)
        run.states[i] = passes[i]->begin(&run.survey);
    send_crew(&run, threads);
    for (size_t i = 0; i < pass_count; i++)
        passes[i]->finish(run.states[i], results);
    fth_findings_fold(&results->findings);
    fth_findings_share(&results->findings, run.survey.whole);
    if (run.failed)
        *error = run.error;
    fth_run_files_free(run.files);
    fth_works_free(works);
    free(run.states);
    free(run.procs);
    return !run.failed;
}

/* ---- results ---- */

void fth_results_add(struct fth_results *results, struct fth_table *table)
{
    if (!table)
        fth_out_of_memory();
    FTH_GROW(results->tables, results->table_count);
    results->tables[results->table_count++] = table;
}

void fth_results_free(struct fth_results *results)
{
    for (size_t i = 0; i < results->table_count; i++)
        fth_table_free(results->tables[i]);
    free(results->tables);
    fth_keyed_free(&results->fates);
    fth_findings_free(&results->findings);
}
