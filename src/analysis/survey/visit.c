/* Going through the calls of a process: a stack of open calls for each thread, turns that come
 * again, and what passes are given. */
#include "analysis/survey/visit.h"
#include "base/saturating.h"

#include "base/memory.h"
#include "trace/record/builtin.h"

#include <stdlib.h>
#include <string.h>

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
    FTH_ADD_SATURATING(sum->time, more->time);
}

/* What a call, now over, was for the one around it. */
static void pass_up(struct fth_frame *around, const struct fth_frame *frame)
{
    FTH_ADD_SATURATING(around->times.inside, frame->times.end - frame->times.start);
    FTH_ADD_SATURATING(around->times.messages, frame->class->messages
                                                   ? frame->times.end - frame->times.start
                                                   : frame->times.messages);
    for (int writes = 0; writes < 2; writes++)
        add_below(&around->data.below[writes], &frame->data.below[writes]);
    /* Calls inside of a system call are those of a signal handler: it moves its bytes itself all
     * the same. */
    if (frame->class->system && frame->class->data && !frame->failed) {
        struct fth_moved self = {1, frame->data.bytes, frame->times.end - frame->times.start,
                                 frame->data.first, frame->data.behind};
        add_below(&around->data.below[frame->writes], &self);
    }
}

/* The call, which is over, may come again in calls that are where these are. */
static void keep_frame(struct fth_visit *visit, const struct fth_frame *frame,
                       struct fth_visit_place place)
{
    struct fth_survey_site *site = fth_survey_site(&visit->sites, place.site);
    fth_visit_give_sum(visit, site);
    site->frame = *frame;
    site->frame.around =
        place.around == FTH_NO_SITE ? NULL : &fth_survey_site(&visit->sites, place.around)->frame;
}

static void end_calls(struct fth_visit *visit, struct fth_visit_stack *stack, size_t depth)
{
    while (stack->depth > depth) {
        struct fth_frame *frame = stack->frames[--stack->depth];
        fth_frame_close(frame);
        if (stack->places[stack->depth].site == FTH_NO_SITE ||
            !stack->places[stack->depth].is_plain)
            fth_visit_give_sums(visit);
        if (!frame->left_out) {
            fth_visit_give_each(visit, frame);
            fth_visit_give_call(visit, frame);
        }
        if (frame->around)
            pass_up(stack->frames[stack->depth - 1], frame);
        if (stack->places[stack->depth].site != FTH_NO_SITE)
            keep_frame(visit, frame, stack->places[stack->depth]);
    }
}

static struct fth_visit_stack *stack_of(struct fth_visit *visit, uint32_t thread)
{
    visit->threads =
        fth_reach(visit->threads, &visit->thread_limit, thread, sizeof *visit->threads);
    return &visit->threads[thread];
}

static const struct fth_frame *innermost(const struct fth_visit_stack *stack)
{
    return stack->frames[stack->depth - 1];
}

/* A call begins, at this time: calls of other threads that are over by then come before it. The
 * next call of their own thread may come much later, and what is looked at in order (was it written
 * before it was read?) would be in another one. */
static void end_earlier(struct fth_visit *visit, uint32_t thread, int64_t start)
{
    uint32_t kept = 0;
    if (start <= visit->first_end || (visit->open_count == 1 && visit->open[0] == thread))
        return;
    visit->first_end = INT64_MAX;
    for (uint32_t i = 0; i < visit->open_count; i++) {
        struct fth_visit_stack *stack = &visit->threads[visit->open[i]];
        while (visit->open[i] != thread && stack->depth && innermost(stack)->times.end < start)
            end_calls(visit, stack, stack->depth - 1);
        stack->is_open = stack->depth > 0;
        if (!stack->is_open)
            continue;
        if (innermost(stack)->times.end < visit->first_end)
            visit->first_end = innermost(stack)->times.end;
        visit->open[kept++] = visit->open[i];
    }
    visit->open_count = kept;
}

static void note_open(struct fth_visit *visit, uint32_t thread, int64_t end)
{
    struct fth_visit_stack *stack = stack_of(visit, thread);
    if (end < visit->first_end)
        visit->first_end = end;
    if (stack->is_open)
        return;
    stack->is_open = true;
    FTH_GROW(visit->open, visit->open_count);
    visit->open[visit->open_count++] = thread;
}

static struct fth_frame *push(struct fth_visit *visit, uint32_t thread, uint32_t depth,
                              struct fth_visit_place place)
{
    struct fth_visit_stack *stack = stack_of(visit, thread);
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

/* ---- how long threads are there ---- */

static void live(struct fth_visit *visit, const struct fth_call *call,
                 const struct fth_frame *frame)
{
    struct fth_visit_stack *stack = stack_of(visit, call->thread);
    if (!stack->called) {
        stack->called = true;
        stack->of_mpi = call->starter && fth_layer_is(call->starter->layer, FTH_LAYER_MESSAGES);
        stack->tid = call->tid;
        stack->first = call->start;
    }
    stack->of_mpi = stack->of_mpi &&
                    !fth_activity_is_work(frame->class, frame->activity, frame->file.to_others);
    stack->last = frame->times.end > stack->last ? frame->times.end : stack->last;
    FTH_ADD_SATURATING(stack->in_calls, frame->around ? 0 : frame->times.end - frame->times.start);
}

static void live_on(struct fth_visit_stack *stack, const struct fth_rounds *rounds)
{
    for (uint32_t i = 0; i < rounds->count; i++) {
        const struct fth_again_time *time = &rounds->times[i];
        stack->last = time->end > stack->last ? time->end : stack->last;
        FTH_ADD_SATURATING(stack->in_calls, time->end - time->start);
    }
}

struct span {
    int64_t tid, first, last;
};

static int by_thread(const void *one, const void *other)
{
    const struct span *a = one, *b = other;
    return a->tid != b->tid ? (a->tid > b->tid) - (a->tid < b->tid)
                            : (a->first > b->first) - (a->first < b->first);
}

/* A thread that calls CUDA has a second row for that, which is of the same time. */
static struct fth_survey_lifetime add_up(struct span *spans, size_t count)
{
    struct fth_survey_lifetime lifetime = {0};
    qsort(spans, count, sizeof *spans, by_thread);
    for (size_t i = 0; i < count; i++) {
        if (i && spans[i].tid == spans[i - 1].tid && spans[i].first < spans[i - 1].last) {
            spans[i].first = spans[i - 1].last;
            spans[i].last = spans[i].last > spans[i].first ? spans[i].last : spans[i].first;
        } else {
            lifetime.threads++;
        }
        FTH_ADD_SATURATING(lifetime.time, spans[i].last - spans[i].first);
    }
    return lifetime;
}

struct fth_survey_lifetime fth_visit_lifetime(const struct fth_visit *visit,
                                              const struct fth_process *process)
{
    struct span *spans = fth_new(visit->thread_limit + 1, sizeof *spans);
    size_t count = 0, of_mpi = 0;
    int64_t time_of_mpi = 0, until = fth_analysis_kept_until(process);
    for (uint32_t thread = 0; thread < visit->thread_limit; thread++) {
        const struct fth_visit_stack *stack = &visit->threads[thread];
        if (!stack->called || stack->tid < 0)
            continue;
        if (count && stack->of_mpi) {
            of_mpi++;
            FTH_ADD_SATURATING(time_of_mpi, stack->in_calls);
            continue;
        }
        struct span *span = &spans[count++];
        *span = (struct span){stack->tid, stack->first, stack->last};
        if (count > 1)
            continue;
        span->first = process->start < span->first ? process->start : span->first;
        span->last = until > span->last ? until : span->last;
    }
    struct fth_survey_lifetime lifetime = add_up(spans, count);
    if (!count)
        lifetime.time = until - process->start;
    lifetime.threads_of_mpi = of_mpi;
    lifetime.cut = until < process->end;
    lifetime.unended = process->cut_off;
    FTH_ADD_SATURATING(lifetime.time, time_of_mpi);
    free(spans);
    return lifetime;
}

/* ---- turns that come again ---- */

/* What calls inside have left in a frame, and its own places. */
static void empty(struct fth_frame *frame)
{
    frame->times.inside = frame->times.messages = 0;
    frame->data.bytes = frame->data.mapped = frame->data.ranges = frame->data.first =
        frame->data.behind = 0;
    frame->data.length = frame->data.stride = 0;
    frame->data.through_view = frame->data.unplaced = frame->data.appends = false;
    frame->data.below[0] = frame->data.below[1] = (struct fth_moved){0};
}

static void end_again(struct fth_visit *visit, uint32_t site)
{
    struct fth_frame *frame = &visit->sites.items[site]->frame;
    fth_frame_close(frame);
    if (!frame->left_out) {
        fth_visit_give_each(visit, frame);
        fth_visit_add_to_sum(visit, site, frame);
    }
    if (frame->around) /* which is a site, too */
        pass_up((struct fth_frame *)(uintptr_t)frame->around, frame);
}

static void go_through_turn(struct fth_visit *visit, struct fth_accesses *accesses)
{
    uint32_t first, count = fth_accesses_turn(accesses, &first);
    const struct fth_listener *listener = visit->listener;
    for (uint32_t entry = 0; entry < count; entry++) {
        const struct fth_access *access = fth_accesses_again(accesses, entry);
        if (!entry) { /* the turn that is known may be the one right before */
            end_earlier(visit, access->call.thread, access->call.start);
            end_calls(visit, stack_of(visit, access->call.thread), 0);
        }
        struct fth_frame *frame = &visit->sites.items[first + entry]->frame;
        empty(frame);
        fth_visit_fill_again(frame, access, accesses);
        live(visit, &access->call, frame);
        const struct fth_calls_again call = {
            1,
            1,
            &(uint32_t){first + entry},
            &frame->data.bytes,
            &(struct fth_again_time){frame->times.start, frame->times.end},
            NULL};
        if (listener)
            listener->again(visit->listening, &call);
    }
    const struct fth_rounds *behind = count == 1 ? fth_accesses_rounds(accesses) : NULL;
    if (behind && behind->count)
        live_on(&visit->threads[visit->sites.items[first]->frame.thread], behind);
    if (behind && behind->in_a_row) {
        fth_visit_row(visit, behind, first);
        return;
    }
    for (uint32_t exit = 0; exit < count; exit++)
        end_again(visit, first + fth_accesses_over(accesses, exit));
    if (behind && behind->count)
        fth_visit_rounds(visit, behind);
}

/* ---- rounds of calls that do not come again by themselves ---- */

/* What differs from one to the other in more than times and the numbers of handles: files without a
 * name, and handles that stand for others. */
static bool is_odd_opening(const struct fth_frame *frame)
{
    return frame->file.creation & FTH_TEMPORARY || frame->class->reopens || frame->class->sets_up;
}

static void go_round(struct fth_visit *visit, const struct fth_rounds *rounds)
{
    uint32_t thread = visit->sites.items[rounds->sites[0]]->frame.thread;
    struct fth_visit_stack *stack = &visit->threads[thread];
    end_earlier(visit, thread, rounds->times[0].start);
    end_calls(visit, stack, 0);
    fth_visit_give_sums(visit);
    live_on(stack, rounds);
    fth_visit_opened_again(visit, rounds);
}

static bool listen(struct fth_visit *visit, struct fth_accesses *accesses,
                   const struct fth_access *access, uint32_t site, struct fth_error **error)
{
    const struct fth_listener *listener = visit->listener;
    if (!listener)
        return true;
    if (!listener->call(visit->listening, &access->call, error))
        return false;
    if (site == FTH_NO_SITE)
        return true;
    switch (listener->keep(visit->listening, site)) {
    case FTH_KEEP_NOT:
        fth_accesses_refuse(accesses);
        break;
    case FTH_KEEP_IN_ROUNDS:
        fth_accesses_refuse_alone(accesses);
        break;
    case FTH_KEEP:
        break;
    }
    return true;
}

static bool takes_rounds(void *context, uint32_t period)
{
    const struct fth_visit *visit = context;
    return !visit->listener || !visit->listener->rounds ||
           visit->listener->rounds(visit->listening, period);
}

/* Handles that have ended since the call before. */
static void give_ended(const struct fth_visit *visit, struct fth_calls *calls)
{
    const struct fth_handle *handle;
    if (!visit->listener || !visit->listener->ended)
        return;
    while ((handle = fth_calls_ended_handle(calls)))
        visit->listener->ended(visit->listening, handle);
}

static void give_accesses(const struct fth_visit *visit, struct fth_accesses *accesses)
{
    if (visit->listener && visit->listener->follow)
        visit->listener->follow(visit->listening, accesses);
}

/* ---- a process ---- */

/* Is it left out by the expression that chooses calls? What is inside of a chosen one is not. */
static bool is_left_out(const struct fth_visit *visit, const struct fth_frame *frame,
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

int fth_visit_go_through(struct fth_visit *visit, struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_with_handles(visit->survey->trace, visit->proc, error);
    if (!calls)
        return -1;
    struct fth_accesses *accesses = fth_accesses_open(visit->survey->trace, visit->proc, calls);
    struct fth_access access;
    int more;
    const struct fth_expression *where = visit->survey->selection->where;
    if (where)
        visit->around = fth_analysis_around_new();
    if (!where || fth_expression_is_of_sites(where)) {
        fth_accesses_know_turns(accesses);
        fth_accesses_know_openings(accesses, &(struct fth_round_listener){takes_rounds, visit});
    }
    give_accesses(visit, accesses);
    while ((more = fth_accesses_next(accesses, &access, error)) > 0) {
        if (more == FTH_AGAIN) {
            go_through_turn(visit, accesses);
            continue;
        }
        if (more == FTH_OPENED_AGAIN) {
            go_round(visit, fth_accesses_opened_again(accesses));
            continue;
        }
        struct fth_visit_place place;
        place.site = fth_accesses_site(accesses, &place.around);
        place.is_plain = fth_accesses_is_plain(accesses);
        fth_visit_expect(visit, &access.call);
        end_earlier(visit, access.call.thread, access.call.start);
        struct fth_frame *frame = push(visit, access.call.thread, access.call.depth, place);
        if (!listen(visit, accesses, &access, place.site, error)) {
            more = -1;
            break;
        }
        give_ended(visit, calls);
        fth_visit_fill(visit, frame, &access, accesses);
        note_open(visit, access.call.thread, frame->times.end);
        if (!place.is_plain && is_odd_opening(frame))
            fth_accesses_refuse(accesses);
        live(visit, &access.call, frame);
        frame->left_out = visit->around && is_left_out(visit, frame, &access, accesses);
        fth_visit_give_parts(visit, frame, &access.call);
    }
    for (uint32_t thread = 0; !more && thread < visit->thread_limit; thread++)
        end_calls(visit, &visit->threads[thread], 0);
    if (!more)
        fth_visit_give_sums(visit);
    if (!more)
        give_ended(visit, calls);
    give_accesses(visit, NULL);
    fth_accesses_close(accesses);
    fth_calls_close(calls);
    return more;
}

void fth_visit_leave(struct fth_visit *visit)
{
    for (uint32_t thread = 0; thread < visit->thread_limit; thread++) {
        for (size_t i = 0; i < visit->threads[thread].room; i++)
            free(visit->threads[thread].frames[i]);
        free(visit->threads[thread].frames);
        free(visit->threads[thread].places);
    }
    free(visit->threads);
    free(visit->open);
    fth_survey_sites_free(&visit->sites);
    fth_analysis_around_free(visit->around);
    free(visit->files);
    free(visit->states);
    free(visit->by_file);
    fth_indexed_free_firsts(&visit->firsts);
    fth_intern_free(&visit->paths);
}
