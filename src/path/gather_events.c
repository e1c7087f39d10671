/* Going through the calls of a process: the order of the run gets them all; of each thread its
 * events are kept, and what the time between them went to. What it goes to has numbers of the
 * process until all its calls are there: processes are gone through by several threads at once. */
#include "analysis/select/where.h"
#include "analysis/survey/node_files.h"
#include "analysis/survey/working.h"
#include "base/memory.h"
#include "base/saturating.h"
#include "model/calls/meets_others.h"
#include "path/run_flow.h"
#include "trace/record/builtin.h"
#include "base/text.h"

#include <string.h>

/* A call that has not returned. */
struct frame {
    int64_t end;
    uint32_t work, depth;
    uint32_t entry; /* step; UINT32_MAX: no event */
    uint16_t function;
};

struct thread {
    struct fth_flow_packer packer;
    bool begun, called;
    int64_t at; /* time is accounted for so far */
    struct frame *frames;
    uint32_t depth, room;
    size_t phase; /* the first one that may not be over at `at` */
};

struct visit {
    struct fth_path *path;
    size_t proc;
    struct thread *threads;
    uint32_t thread_count;
    struct fth_order_builder *builder;
    struct fth_intern files;
    struct fth_indexed work; /* of struct fth_flow_work, by file and what else it says */
    uint32_t *last_work;     /* by function: number of its last work, plus 1; 0: none yet */
    uint32_t function_limit;
    uint32_t *file_paths; /* by numbers of files of calls: file + 1 */
    uint32_t file_limit;
    struct fth_where *where; /* NULL: nothing is chosen */
    /* calls that come again, by site */
    struct site {
        uint32_t thread, depth, work;
        uint16_t function; /* of events */
        bool polls, is_event;
    } * sites;
    uint32_t site_limit;
    struct site last; /* of the call that came last */
    struct fth_accesses *accesses;
    struct fth_operation *completed; /* operations, where links are listed */
    size_t completed_count;
    const struct fth_phase *phases; /* of the process, where it was only watched in some */
    size_t phase_count;
};

static const struct fth_flow_work
    computing =
        {FTH_NO_FUNCTION, FTH_NO_FUNCTION, FTH_FLOW_NO_FILE, 0, FTH_FLOW_COMPUTES, false, false},
    not_known = {
        FTH_NO_FUNCTION, FTH_NO_FUNCTION, FTH_FLOW_NO_FILE, 0, FTH_FLOW_NOT_KNOWN, false, false};
enum { COMPUTING, NOT_KNOWN }; /* numbers of these */

/* ---- time ---- */

static void add_time(struct thread *thread, uint32_t work, int64_t until)
{
    if (until <= thread->at)
        return;
    fth_flow_add_time(&thread->packer, work, until - thread->at);
    thread->at = until;
}

static int64_t least(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

/* Outside of recorded calls. */
static void account_outside(const struct visit *visit, struct thread *thread, int64_t until)
{
    for (; thread->phase < visit->phase_count; thread->phase++) {
        const struct fth_phase *phase = &visit->phases[thread->phase];
        if (!phase->recorded) {
            add_time(thread, COMPUTING, least(until, phase->begin));
            add_time(thread, NOT_KNOWN, least(until, phase->end));
        }
        if (until < phase->end)
            break;
    }
    add_time(thread, COMPUTING, until);
}

static void account(const struct visit *visit, struct thread *thread, int64_t until)
{
    uint32_t work = thread->depth ? thread->frames[thread->depth - 1].work : COMPUTING;
    if (work == COMPUTING)
        account_outside(visit, thread, until);
    else
        add_time(thread, work, until);
}

/* ---- calls ---- */

static void leave_to(const struct visit *visit, struct thread *thread, uint32_t depth)
{
    while (thread->depth && thread->frames[thread->depth - 1].depth >= depth) {
        const struct frame *frame = &thread->frames[thread->depth - 1];
        account(visit, thread, frame->end);
        if (frame->entry != UINT32_MAX)
            fth_flow_add_event(&thread->packer, (struct fth_flow_event){thread->at, frame->entry,
                                                                        frame->function, true});
        thread->depth--;
    }
}

static uint32_t path_number(struct fth_intern *files, const char *text)
{
    return text ? fth_intern(files, text, strlen(text) + 1) : FTH_FLOW_NO_FILE;
}

/* Paths are compared once for each file. */
static uint32_t file_of(struct visit *visit, const struct fth_call *call)
{
    uint32_t number = call->file_number;
    if (!number)
        return FTH_FLOW_NO_FILE;
    visit->file_paths =
        fth_reach(visit->file_paths, &visit->file_limit, number, sizeof *visit->file_paths);
    if (!visit->file_paths[number])
        visit->file_paths[number] = path_number(&visit->files, call->file) + 1;
    return visit->file_paths[number] - 1;
}

static uint32_t work_number(struct fth_indexed *known, struct fth_flow_work work)
{
    uint32_t file = work.file == FTH_FLOW_NO_FILE ? 0 : work.file + 1;
    uint64_t sort = (uint64_t)work.asked << 32 | (uint64_t)work.starts_mpi << 25 |
                    (uint64_t)work.io << 24 | (uint64_t)work.activity << 20 |
                    (uint64_t)work.function << 1 | work.chosen;
    uint32_t number = fth_indexed_place(known, file, sort);
    *(struct fth_flow_work *)fth_indexed_item(known, number) = work;
    return number;
}

static const struct fth_flow_work *work_at(const struct visit *visit, uint32_t number)
{
    return fth_indexed_item(&visit->work, number);
}

static bool is_work(const struct fth_flow_work *one, const struct fth_flow_work *other)
{
    return one->function == other->function && one->file == other->file &&
           one->asked == other->asked && one->chosen == other->chosen &&
           one->activity == other->activity && one->io == other->io &&
           one->starts_mpi == other->starts_mpi;
}

/* Most calls of a function are the same work as the one before. */
static uint32_t number_as_before(struct visit *visit, struct fth_flow_work work)
{
    visit->last_work = fth_reach(visit->last_work, &visit->function_limit, work.function,
                                 sizeof *visit->last_work);
    uint32_t *last = &visit->last_work[work.function];
    if (!*last || !is_work(work_at(visit, *last - 1), &work))
        *last = work_number(&visit->work, work) + 1;
    return *last - 1;
}

static uint32_t work_of(struct visit *visit, const struct thread *thread,
                        const struct fth_call *call, bool holds)
{
    const struct fth_call_class *work = fth_call_class_for(visit->path->classes, call);
    const struct frame *around = thread->depth ? &thread->frames[thread->depth - 1] : NULL;
    if (work->region || work->index >= FTH_NO_FUNCTION)
        return around ? around->work : 0;
    uint16_t function = (uint16_t)work->index;
    uint16_t asked = around ? work_at(visit, around->work)->asked : FTH_NO_FUNCTION;
    if (asked == FTH_NO_FUNCTION && work->io)
        asked = function;
    uint32_t file = work->io ? file_of(visit, call) : FTH_FLOW_NO_FILE;
    bool chosen = holds || (around && work_at(visit, around->work)->chosen);
    enum fth_activity activity = fth_activity_of(visit->path->trace, work, call);
    bool io = activity < FTH_ACTIVITY_IO_KINDS || (around && work_at(visit, around->work)->io);
    bool starts_mpi =
        visit->path->facts[function].is_mpi || (around && work_at(visit, around->work)->starts_mpi);
    struct fth_flow_work made = {
        function, asked, file & FTH_FLOW_NO_FILE, chosen, (uint8_t)activity, io, starts_mpi};
    if (around && is_work(work_at(visit, around->work), &made))
        return around->work;
    return number_as_before(visit, made);
}

static void begin_thread(struct visit *visit, struct thread *thread, int64_t time)
{
    thread->begun = true;
    thread->at = time;
    thread->packer.timeline->proc = (uint32_t)visit->proc;
    thread->packer.timeline->thread = (uint32_t)(thread - visit->threads);
    fth_flow_add_event(&thread->packer,
                       (struct fth_flow_event){time, UINT32_MAX, FTH_NO_FUNCTION, false});
}

/* The first thread is never one of the MPI library. */
static void look_who_works(const struct visit *visit, struct thread *thread,
                           const struct fth_call *call, uint32_t work)
{
    struct fth_thread_timeline *timeline = thread->packer.timeline;
    if (!thread->called)
        timeline->of_mpi =
            call->thread && call->starter && fth_layer_is(call->starter->layer, FTH_LAYER_MESSAGES);
    thread->called = true;
    if (timeline->of_mpi &&
        fth_activity_is_work(fth_call_class_for(visit->path->classes, call),
                             work_at(visit, work)->activity, fth_handle_meets_others(call->handle)))
        timeline->of_mpi = false;
}

static void expect_call(void *state, const struct fth_call *call)
{
    const struct visit *visit = state;
    uint32_t number = call->file_number;
    if (number && number < visit->file_limit && visit->file_paths[number])
        fth_indexed_expect(&visit->work, visit->file_paths[number]);
}

static void note_completed(struct visit *visit)
{
    size_t count = 0;
    const struct fth_operation *operations = visit->path->list && visit->accesses
                                                 ? fth_accesses_completed(visit->accesses, &count)
                                                 : NULL;
    for (size_t i = 0; i < count; i++) {
        FTH_GROW(visit->completed, visit->completed_count);
        visit->completed[visit->completed_count++] = operations[i];
    }
}

static uint32_t add_entry(struct thread *thread, uint64_t number, uint16_t function)
{
    return fth_flow_add_event(
        &thread->packer,
        (struct fth_flow_event){thread->at, number < UINT32_MAX ? (uint32_t)number : UINT32_MAX,
                                function, false});
}

static bool take_call(void *state, const struct fth_call *call, struct fth_error **error)
{
    struct visit *visit = state;
    if (call->thread < visit->thread_count) {
        struct thread *thread = &visit->threads[call->thread];
        if (!thread->begun)
            begin_thread(visit, thread,
                         call->thread ? call->start
                                      : fth_trace_process(visit->path->trace, visit->proc)->start);
        leave_to(visit, thread, call->depth);
        account(visit, thread, call->start);
    }
    if (!fth_order_call(visit->builder, call, error))
        return false;
    struct thread *thread = &visit->threads[call->thread];
    uint32_t index = fth_call_class_of(visit->path->classes, call->function)->index;
    bool polls = visit->path->facts[index].polls || visit->path->facts[index].finds_ready;
    bool holds = visit->where && fth_where_holds(visit->where, call, NULL);
    struct frame frame = {call->end, work_of(visit, thread, call, holds), call->depth, UINT32_MAX,
                          FTH_NO_FUNCTION};
    look_who_works(visit, thread, call, frame.work);
    if (fth_order_is_event(visit->builder)) {
        if (index < FTH_NO_FUNCTION)
            frame.function = (uint16_t)index;
        frame.entry = add_entry(thread, call->number, frame.function);
    }
    thread->frames =
        fth_reach(thread->frames, &thread->room, thread->depth, sizeof *thread->frames);
    thread->frames[thread->depth++] = frame;
    fth_flow_expect(&thread->packer, frame.work);
    if (polls)
        fth_flow_add_poll(&thread->packer, call->end);
    visit->last = (struct site){call->thread,   call->depth, frame.work,
                                frame.function, polls,       frame.entry != UINT32_MAX};
    note_completed(visit);
    return true;
}

/* Of calls that order nothing only the time is asked for, and of others that come in rounds; unless
 * it depends on the call whether it is chosen. */
static enum fth_keeping keep_site(void *state, uint32_t number)
{
    struct visit *visit = state;
    visit->sites = fth_reach(visit->sites, &visit->site_limit, number, sizeof *visit->sites);
    visit->sites[number] = visit->last;
    const struct fth_expression *where = visit->path->where;
    if ((where && !fth_expression_is_of_sites(where)) ||
        !fth_order_keeps_for_rounds(visit->builder))
        return FTH_KEEP_NOT;
    return fth_order_takes_each(visit->builder) ? FTH_KEEP_IN_ROUNDS : FTH_KEEP;
}

static bool takes_rounds(void *state, uint32_t period)
{
    return fth_order_takes_rounds(((struct visit *)state)->builder, period);
}

/* Calls of one site in no other call, of which the first has begun, one behind the other: what they
 * took, and what was between them, is added up before it is entered. The last one goes on. */
static void go_on(struct thread *thread, const struct fth_again_time *times, uint32_t count)
{
    struct frame *frame = &thread->frames[thread->depth - 1];
    int64_t inside = 0, outside = 0, at = thread->at;
    bool begins_outside = false;
    for (uint32_t i = 0; i + 1 < count; i++) {
        int64_t end = times[i].end > at ? times[i].end : at;
        int64_t next = times[i + 1].start > end ? times[i + 1].start : end;
        FTH_ADD_SATURATING(inside, end - at);
        FTH_ADD_SATURATING(outside, next - end);
        begins_outside |= !inside && outside;
        at = next;
    }
    if (begins_outside)
        fth_flow_add_time(&thread->packer, COMPUTING, outside);
    if (inside)
        fth_flow_add_time(&thread->packer, frame->work, inside);
    if (outside && !begins_outside)
        fth_flow_add_time(&thread->packer, COMPUTING, outside);
    thread->at = at;
    frame->end = times[count - 1].end;
}

static bool is_plain_row(const struct visit *visit, const struct thread *thread,
                         const struct fth_calls_again *calls, const struct site *site)
{
    return calls->period == 1 && calls->count > 1 && thread->depth == 1 && !site->polls &&
           !site->is_event && thread->phase >= visit->phase_count;
}

static void take_again(void *state, const struct fth_calls_again *calls)
{
    struct visit *visit = state;
    for (uint32_t i = 0, at = 0; i < calls->count; i++) {
        const struct site *site = &visit->sites[calls->sites[at]];
        const struct fth_again_time *time = &calls->times[i];
        struct thread *thread = &visit->threads[site->thread];
        at = at + 1 < calls->period ? at + 1 : 0;
        leave_to(visit, thread, site->depth);
        account(visit, thread, time->start);
        if (site->polls)
            fth_flow_add_poll(&thread->packer, time->end);
        if (thread->depth >= thread->room)
            thread->frames =
                fth_reach(thread->frames, &thread->room, thread->depth, sizeof *thread->frames);
        uint32_t entry = site->is_event
                             ? add_entry(thread, calls->opening->first_number + i, site->function)
                             : UINT32_MAX;
        thread->frames[thread->depth++] =
            (struct frame){time->end, site->work, site->depth, entry, site->function};
        if (is_plain_row(visit, thread, calls, site)) {
            go_on(thread, time, calls->count - i);
            break;
        }
    }
    if (calls->opening)
        fth_order_go_round(visit->builder, calls->count / calls->period);
}

static void follow(void *state, struct fth_accesses *accesses)
{
    struct visit *visit = state;
    visit->accesses = accesses;
    fth_order_follow(visit->builder, accesses);
}

/* ---- a process ---- */

static void end_threads(struct visit *visit)
{
    const struct fth_process *process = fth_trace_process(visit->path->trace, visit->proc);
    for (uint32_t i = 0; i < visit->thread_count; i++) {
        struct thread *thread = &visit->threads[i];
        if (!thread->begun)
            begin_thread(visit, thread, process->start);
        leave_to(visit, thread, 0);
        account(visit, thread, i ? thread->at : fth_analysis_kept_until(process));
        fth_flow_add_event(&thread->packer,
                           (struct fth_flow_event){thread->at, UINT32_MAX, FTH_NO_FUNCTION, false});
        fth_flow_end_timeline(&thread->packer);
        free(thread->frames);
    }
    free(visit->threads);
    free(visit->file_paths);
    fth_where_close(visit->where);
}

static void *begin_process(void *context, size_t proc)
{
    struct fth_path *path = context;
    struct visit *visit = fth_new(1, sizeof *visit);
    visit->path = path;
    visit->proc = proc;
    visit->thread_count = path->first_timeline[proc + 1] - path->first_timeline[proc];
    visit->threads = fth_new(visit->thread_count + 1, sizeof *visit->threads);
    for (uint32_t i = 0; i < visit->thread_count; i++)
        visit->threads[i].packer =
            (struct fth_flow_packer){.timeline = &path->timelines[path->first_timeline[proc] + i],
                                     .store = &path->stores[proc]};
    visit->builder = fth_order_feed(path->order, proc);
    visit->where = fth_where_open(path->trace, path->where);
    visit->work.size = sizeof(struct fth_flow_work);
    work_number(&visit->work, computing);
    if (fth_analysis_is_watched(path->trace, proc)) {
        visit->phases = fth_trace_phases(path->trace, proc, &visit->phase_count);
        work_number(&visit->work, not_known);
    }
    return visit;
}

/* The run's numbers instead of the process's. */
static void number_anew(struct visit *visit)
{
    struct fth_path *path = visit->path;
    uint32_t count = visit->work.count, *numbers = fth_new((size_t)count + 1, sizeof *numbers);
    for (uint32_t i = 0; i < count; i++) {
        struct fth_flow_work work = *work_at(visit, i);
        size_t length;
        if (work.file != FTH_FLOW_NO_FILE)
            work.file =
                FTH_FLOW_NO_FILE &
                fth_path_add_file(path, visit->proc,
                                  (const char *)fth_interned(&visit->files, work.file, &length));
        numbers[i] = work_number(&path->work.by_facts, work);
    }
    uint32_t first = path->first_timeline[visit->proc];
    fth_flow_end_store(&path->stores[visit->proc], numbers, &path->timelines[first],
                       path->first_timeline[visit->proc + 1] - first);
}

static void end_process(void *context, void *state)
{
    struct visit *visit = state;
    for (size_t i = 0; i < visit->completed_count; i++)
        fth_path_link_operation(context, &visit->completed[i]);
    fth_order_feed_end(visit->builder);
    end_threads(visit);
    number_anew(visit);
    fth_indexed_free(&visit->work);
    free(visit->last_work);
    fth_intern_free(&visit->files);
    free(visit->sites);
    free(visit->completed);
    free(visit);
}

static uint32_t host_of(const struct fth_path *path, uint32_t proc)
{
    const char *host = fth_trace_process(path->trace, proc)->host;
    for (uint32_t i = 0; i < proc; i++) {
        const char *other = fth_trace_process(path->trace, i)->host;
        if (path->hosts[i] == i && fth_text_same(host, other))
            return i;
    }
    return proc;
}

static void look_at_processes(struct fth_path *path)
{
    size_t count = fth_trace_process_count(path->trace);
    path->first_timeline = fth_new(count + 2, sizeof *path->first_timeline);
    path->hosts = fth_new(count + 1, sizeof *path->hosts);
    path->several_nodes = fth_analysis_has_several_nodes(path->trace);
    path->selected = fth_new(count + 1, sizeof *path->selected);
    path->begin = INT64_MAX;
    for (uint32_t proc = 0; proc < count; proc++) {
        const struct fth_process *process = fth_trace_process(path->trace, proc);
        path->hosts[proc] = host_of(path, proc);
        path->first_timeline[proc + 1] =
            path->first_timeline[proc] + (uint32_t)process->thread_count;
        path->selected[proc] = fth_analysis_selects_process(path->selection, path->trace, proc);
        if (!path->selected[proc] || process->thread_count == 0)
            continue;
        path->begin = process->start < path->begin ? process->start : path->begin;
        int64_t end = fth_analysis_kept_until(process);
        path->end = end > path->end ? end : path->end;
    }
    path->is_of_a_part = fth_analysis_are_watched(path->selection, path->trace);
    struct fth_working working = fth_analysis_working(path->trace, path->selection);
    path->sums.whole = working.whole;
    path->sums.working = working.whole - working.mpi;
    path->timeline_count = path->first_timeline[count];
    path->begin = path->begin == INT64_MAX ? 0 : path->begin;
    path->timelines = fth_new(path->timeline_count + 1, sizeof *path->timelines);
    path->stores = fth_new(count + 1, sizeof *path->stores);
}

struct fth_listener fth_path_gather(struct fth_path *path)
{
    look_at_processes(path);
    path->work.by_facts.size = sizeof(struct fth_flow_work);
    work_number(&path->work.by_facts, computing);
    for (size_t proc = 0; proc < fth_trace_process_count(path->trace); proc++)
        fth_order_feed(path->order, proc);
    fth_order_want_bytes(path->order);
    return (struct fth_listener){path,        begin_process, take_call, keep_site, take_again,
                                 end_process, expect_call,   follow,    NULL,      takes_rounds};
}

/* A process of which no call is seen has no more than a begin and an end. */
void fth_path_gathered(struct fth_path *path)
{
    for (size_t proc = 0; proc < fth_trace_process_count(path->trace); proc++)
        if (path->first_timeline[proc + 1] > path->first_timeline[proc] &&
            !path->timelines[path->first_timeline[proc]].event_count)
            end_process(path, begin_process(path, proc));
    path->work.count = path->work.by_facts.count;
    struct fth_flow_work *all = fth_new(path->work.count, sizeof *all);
    for (uint32_t i = 0; i < path->work.count; i++)
        all[i] = *(const struct fth_flow_work *)fth_indexed_item(&path->work.by_facts, i);
    path->work.all = all;
    fth_indexed_free(&path->work.by_facts);
}
