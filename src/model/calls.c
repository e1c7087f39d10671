/* Calls of a process in order of entry. A thread's calls come out of the trace in order of exit: calls inside a call come before it. They wait
 * until the call around them is known, and then go out behind it. Threads are merged by time of entry. */
#include "model/handle_tree.h"
#include "model/present.h"
#include "model/seek.h"
#include "model/starts.h"

#include "base/memory.h"

#include <inttypes.h>

enum {
    NOT_YET = -2,
    MOST_WAITING = 1 << 20, /* calls inside a call; when there are more, they go out without it */
};

/* A call that waits to go out; its values stand in the thread's `values`. */
struct waiting {
    struct fth_call call;
    size_t first_value;
    int64_t parent; /* place among the waiting calls; -1: none, NOT_YET: not known */
    size_t first_start, start_count; /* threads that were started in it: of the closed ones */
};

struct thread {
    const struct fth_stretch *stretches;
    size_t stretch_count;
    int64_t next_start; /* of its next call, or a time before that */
    bool open, ended;   /* being read; all read */
    struct fth_thread_reader reader;
    struct fth_raw_call raw; /* decoded last */
    bool alone; /* it is in no other, and no other in it: it goes out as it is, nothing waits */
    struct waiting *waiting; /* in order of entry */
    size_t waiting_count, waiting_limit, next_out;
    struct fth_value *values;
    size_t value_count, value_limit;
    struct fth_arena arena; /* what the values of the waiting calls point to */
    uint64_t first_number;  /* of waiting[0] */
    struct fth_thread_starts starts;
    bool starter_is_known; /* of the thread itself */
    struct fth_starter starter;
};

struct fth_calls {
    struct fth_trace *trace;
    size_t proc;
    struct fth_presenter presenter;
    const struct fth_model_process *process;
    struct fth_process_names names;
    struct fth_share *shares;
    size_t share_count;
    struct fth_stretch *stretches;
    struct thread *threads;
    size_t thread_count;
    int64_t from; /* what ended before it is left out; INT64_MIN: nothing */
    struct fth_seeker seeker;
    struct fth_handle_tree *handles; /* NULL: nobody asked for them */
    struct fth_starts starts;
    bool has_starts;
    struct fth_calls *past; /* who started threads before `from`; NULL: nobody has asked */
    /* threads that have calls left: a heap, the one with the earliest call first */
    uint32_t *queue;
    size_t queue_length;
};

/* ---- from order of exit to order of entry ---- */

/* Puts the arguments of a call behind those of the others that wait; returns where they begin. */
static size_t keep_arguments(struct thread *thread, const struct fth_call *call)
{
    size_t count = call->function->parameter_count, first = thread->value_count;
    if (thread->value_limit < first + count) {
        thread->value_limit = (first + count) * 2;
        thread->values = fth_resize(thread->values, thread->value_limit, sizeof *thread->values);
    }
    if (count)
        memcpy(thread->values + first, call->arguments, count * sizeof *thread->values);
    thread->value_count += count;
    return first;
}

/* May a waiting call be inside the one that has come? Not if a call that is no deeper has it already: times may be the same. */
static bool may_be_inside(const struct thread *thread, size_t waiting, const struct fth_call *call)
{
    const struct waiting *inside = &thread->waiting[waiting];
    return inside->call.depth > call->depth && inside->call.start >= call->start &&
           (inside->parent < 0 || thread->waiting[inside->parent].call.depth > call->depth);
}

/* Puts the call that was decoded last among those that wait: before the calls inside it. */
static void insert(struct fth_calls *calls, struct thread *thread)
{
    if (thread->waiting_count == thread->waiting_limit) {
        thread->waiting_limit = thread->waiting_limit ? thread->waiting_limit * 2 : 16;
        thread->waiting =
            fth_resize(thread->waiting, thread->waiting_limit, sizeof *thread->waiting);
    }
    struct waiting *made = &thread->waiting[thread->waiting_count];
    fth_present(&calls->presenter, &thread->reader, &thread->arena, &thread->raw, &made->call);
    made->first_value = keep_arguments(thread, &made->call);
    made->parent = NOT_YET;
    made->first_start = thread->starts.closed_count;
    made->start_count = fth_starts_close(&thread->starts, made->call.depth);
    size_t place = thread->waiting_count;
    while (place && may_be_inside(thread, place - 1, &made->call))
        place--;
    if (place < thread->waiting_count) {
        struct waiting around = *made;
        memmove(&thread->waiting[place + 1], &thread->waiting[place],
                (thread->waiting_count - place) * sizeof *thread->waiting);
        thread->waiting[place] = around;
    }
    thread->waiting_count++;
    for (size_t i = place + 1; i < thread->waiting_count; i++) {
        struct waiting *inside = &thread->waiting[i];
        if (inside->parent >= (int64_t)place)
            inside->parent++;
        else if (inside->parent == NOT_YET)
            inside->parent = (int64_t)place;
    }
}

static void settle_waiting(struct fth_calls *calls, struct thread *thread)
{
    for (size_t i = 0; i < thread->waiting_count; i++) {
        struct waiting *waiting = &thread->waiting[i];
        const struct fth_starter here = {(uint32_t)thread->reader.thread, thread->first_number + i,
                                         waiting->call.function};
        for (size_t k = 0; k < waiting->start_count; k++)
            fth_starts_add(&calls->starts, thread->starts.closed[waiting->first_start + k], here);
        waiting->call.number = here.call;
        waiting->call.parent =
            waiting->parent >= 0 ? thread->first_number + (uint64_t)waiting->parent : FTH_NO_CALL;
        waiting->call.arguments =
            thread->values ? thread->values + waiting->first_value : NULL; /* none had any */
    }
    fth_starts_forget(&thread->starts);
}

/* Decodes until calls are ready to go out: a call that is in no other has come, or the thread's calls are over. */
static int fill(struct fth_calls *calls, struct thread *thread, struct fth_error **error)
{
    thread->first_number += thread->waiting_count;
    thread->waiting_count = thread->value_count = thread->next_out = 0;
    if (thread->arena.used)
        fth_arena_reset(&thread->arena);
    while (thread->waiting_count < MOST_WAITING) {
        int status = fth_thread_reader_next(&thread->reader, &thread->raw, error);
        if (status < 0)
            return -1;
        if (thread->reader.start_count)
            fth_starts_take(&thread->starts, &thread->reader);
        thread->ended = status == 0;
        thread->alone = status > 0 && thread->raw.depth == 0 && thread->waiting_count == 0 &&
                        !thread->starts.open_count;
        if (thread->ended || thread->alone)
            break;
        insert(calls, thread);
        if (thread->raw.depth == 0)
            break;
    }
    settle_waiting(calls, thread);
    return 0;
}

/* ---- threads by time ---- */

static bool is_before(const struct fth_calls *calls, uint32_t one, uint32_t other)
{
    int64_t left = calls->threads[one].next_start, right = calls->threads[other].next_start;
    return left != right ? left < right : one < other;
}

/* The first thread's next call has become later: it sinks to where it belongs. */
static void sink_first(struct fth_calls *calls)
{
    uint32_t *queue = calls->queue, sinking = queue[0];
    size_t at = 0;
    for (size_t below; (below = 2 * at + 1) < calls->queue_length; at = below) {
        if (below + 1 < calls->queue_length && is_before(calls, queue[below + 1], queue[below]))
            below++;
        if (!is_before(calls, queue[below], sinking))
            break;
        queue[at] = queue[below];
    }
    queue[at] = sinking;
}

static void close_thread(struct thread *thread)
{
    if (thread->open)
        fth_thread_reader_close(&thread->reader);
    free(thread->waiting);
    free(thread->values);
    fth_arena_free(&thread->arena);
    fth_thread_starts_free(&thread->starts);
    thread->waiting = NULL;
    thread->values = NULL;
    thread->open = false;
}

static void leave_queue(struct fth_calls *calls)
{
    close_thread(&calls->threads[calls->queue[0]]);
    calls->queue[0] = calls->queue[--calls->queue_length];
    if (calls->queue_length)
        sink_first(calls);
}

/* ---- doors ---- */

/* Tracks are in order within their thread already: in that of the shares and of their place. */
static int by_thread(const void *one, const void *other)
{
    const struct fth_stretch *a = one, *b = other;
    if (a->track->thread != b->track->thread)
        return a->track->thread < b->track->thread ? -1 : 1;
    return a->share != b->share  ? (a->share < b->share ? -1 : 1)
           : a->track < b->track ? -1
                                 : a->track > b->track;
}

/* Puts the process's shares together. */
static int read_shares(struct fth_calls *calls, struct fth_error **error)
{
    uint32_t signatures = 0;
    calls->shares = fth_new(calls->process->share_count, sizeof *calls->shares);
    for (size_t i = 0; i < calls->process->share_count; i++) {
        const struct fth_model_share *from = &calls->process->shares[i];
        struct fth_share *share = &calls->shares[i];
        if (fth_stored_part_process(from->part, from->index, &share->stored, error))
            return -1;
        calls->share_count++;
        share->part = from->part;
        share->templates = fth_new(from->part->strings.count, sizeof *share->templates);
        share->first_signature = signatures;
        calls->has_starts = calls->has_starts || fth_share_has_starts(share);
        signatures += share->stored.signature_count;
    }
    fth_process_names_init(&calls->names);
    fth_presenter_open(&calls->presenter, calls->trace, calls->proc, signatures, &calls->names);
    if (calls->from != INT64_MIN)
        fth_seeker_open(&calls->seeker, calls->trace, calls->process, &calls->names, calls->shares,
                        calls->share_count);
    return 0;
}

static size_t list_stretches(struct fth_calls *calls)
{
    size_t count = 0;
    for (size_t i = 0; i < calls->share_count; i++) {
        struct fth_share *share = &calls->shares[i];
        const uint8_t *frames = share->part->processes[calls->process->shares[i].index].frames;
        for (size_t k = 0; k < share->stored.track_count; k++) {
            const struct fth_track *track = &share->stored.tracks[k];
            if (!track->block_count)
                continue;
            FTH_GROW(calls->stretches, count);
            calls->stretches[count++] = (struct fth_stretch){share, track, frames};
            frames += fth_track_bytes(track);
        }
    }
    if (count)
        qsort(calls->stretches, count, sizeof *calls->stretches, by_thread);
    return count;
}

static int by_start(const void *one, const void *other, void *context)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return is_before(context, a, b) ? -1 : a != b;
}

/* A thread is opened when its first call may be due: one process may have had any number of them, one after the other. */
static void list_threads(struct fth_calls *calls, size_t stretch_count)
{
    for (size_t i = 0; i < stretch_count; i++) {
        const struct fth_stretch *stretch = &calls->stretches[i];
        if (i && stretch[-1].track->thread == stretch->track->thread) {
            calls->threads[calls->thread_count - 1].stretch_count++;
            continue;
        }
        FTH_GROW(calls->threads, calls->thread_count);
        calls->threads[calls->thread_count++] = (struct thread){
            .stretches = stretch,
            .stretch_count = 1,
            .next_start = fth_model_time(calls->process, stretch->track->blocks->base *
                                                             stretch->share->stored.facts.quantum)};
    }
    calls->queue = fth_new(calls->thread_count, sizeof *calls->queue);
    for (uint32_t i = 0; i < calls->thread_count; i++)
        calls->queue[i] = i;
    calls->queue_length = calls->thread_count;
    if (calls->queue_length) /* what is sorted is a heap */
        qsort_r(calls->queue, calls->queue_length, sizeof *calls->queue, by_start, calls);
}

struct fth_calls *fth_calls_from(struct fth_trace *trace, size_t proc, int64_t time,
                                 struct fth_error **error)
{
    if (proc >= trace->process_count) {
        fth_fail(error, "there is no process %zu: the trace has %zu", proc, trace->process_count);
        return NULL;
    }
    struct fth_calls *calls = fth_new(1, sizeof *calls);
    *calls = (struct fth_calls){
        .trace = trace, .proc = proc, .process = &trace->processes[proc], .from = time};
    if (read_shares(calls, error)) {
        fth_calls_close(calls);
        return NULL;
    }
    list_threads(calls, list_stretches(calls));
    return calls;
}

struct fth_calls *fth_calls_open(struct fth_trace *trace, size_t proc, struct fth_error **error)
{
    return fth_calls_from(trace, proc, INT64_MIN, error);
}

struct fth_calls *fth_calls_with_handles(struct fth_trace *trace, size_t proc,
                                         struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_open(trace, proc, error);
    if (calls)
        calls->handles = fth_handle_tree_open(trace, proc, calls->thread_count);
    return calls;
}

const struct fth_handle *fth_calls_ended_handle(struct fth_calls *calls)
{
    return calls->handles ? fth_handle_tree_ended(calls->handles) : NULL;
}

static int open_thread(struct fth_calls *calls, struct thread *thread, struct fth_error **error)
{
    fth_thread_reader_open(&thread->reader, calls->trace, &calls->names, thread->stretches,
                           thread->stretch_count);
    thread->open = true;
    thread->reader.keeps_starts = calls->has_starts;
    if (calls->from == INT64_MIN)
        return 0;
    return fth_seek_time(&calls->seeker, &thread->reader, calls->from, &thread->first_number,
                         error);
}

/* More calls of a thread whose last ones are out. */
static int refill(struct fth_calls *calls, struct thread *thread, struct fth_error **error)
{
    if ((!thread->open && open_thread(calls, thread, error)) || fill(calls, thread, error))
        return fth_fail_in(error, "process %zu of trace '%s'", calls->proc, calls->trace->path);
    if (thread->alone)
        thread->next_start = fth_model_time(calls->process, thread->raw.entry);
    else if (thread->waiting_count)
        thread->next_start = thread->waiting[0].call.start;
    return 0;
}

/* Gives the thread's next call out. */
static void give(struct fth_calls *calls, struct thread *thread, struct fth_call *call)
{
    if (thread->alone) {
        fth_present(&calls->presenter, &thread->reader, &thread->arena, &thread->raw, call);
        call->number = thread->first_number++;
        thread->alone = false;
        return;
    }
    *call = thread->waiting[thread->next_out++].call;
    /* After its last one it stays where it is, with a time before its next call. */
    if (thread->next_out < thread->waiting_count)
        thread->next_start = thread->waiting[thread->next_out].call.start;
}

/* ---- who started a thread ---- */

/* Who reads from the middle on has not seen it: reads from the start up to the thread's first call. What is damaged there tells nothing. */
static void look_into_the_past(struct fth_calls *calls, struct thread *thread)
{
    size_t index = (size_t)(thread - calls->threads);
    struct fth_error *error = NULL;
    struct fth_call call;
    if (!calls->past)
        calls->past = fth_calls_open(calls->trace, calls->proc, &error);
    while (calls->past && !calls->past->threads[index].starter_is_known &&
           fth_calls_next(calls->past, &call, &error) > 0)
        ;
    if (calls->past)
        thread->starter = calls->past->threads[index].starter;
    fth_error_free(error);
}

/* Calls around it, in its own thread, it has none. */
static void find_starter(struct fth_calls *calls, struct thread *thread, struct fth_call *call)
{
    if (!thread->starter_is_known) {
        thread->starter = fth_starts_find(&calls->starts, thread->starts.followed);
        if (calls->from != INT64_MIN)
            look_into_the_past(calls, thread);
        thread->starter_is_known = true;
    }
    if (thread->starter.call != FTH_NO_CALL) {
        call->parent = thread->starter.call;
        call->parent_thread = thread->starter.thread;
        call->starter = thread->starter.function;
    }
}

int fth_calls_next(struct fth_calls *calls, struct fth_call *call, struct fth_error **error)
{
    while (calls->queue_length) {
        struct thread *first = &calls->threads[calls->queue[0]];
        bool is_ready = first->alone || first->next_out < first->waiting_count;
        if (!is_ready && first->ended) {
            leave_queue(calls);
            continue;
        }
        if (!is_ready && refill(calls, first, error))
            return -1;
        /* The only one left is the first, whatever its time. */
        if (!is_ready && calls->queue_length > 1) {
            sink_first(calls);
            continue;
        }
        if (!is_ready && first->ended && !first->waiting_count)
            continue;
        give(calls, first, call);
        if (calls->has_starts && call->depth == 0)
            find_starter(calls, first, call);
        if (calls->handles)
            fth_handle_tree_add(calls->handles, (size_t)(first - calls->threads), call);
        if (calls->queue_length > 1)
            sink_first(calls);
        if (call->end >= calls->from)
            return 1;
    }
    if (calls->handles)
        fth_handle_tree_end(calls->handles);
    return 0;
}

void fth_calls_close(struct fth_calls *calls)
{
    if (!calls)
        return;
    for (size_t i = 0; i < calls->thread_count; i++)
        close_thread(&calls->threads[i]);
    for (size_t i = 0; i < calls->share_count; i++) {
        fth_part_process_free(&calls->shares[i].stored);
        free(calls->shares[i].templates);
    }
    free(calls->shares);
    fth_handle_tree_close(calls->handles);
    fth_presenter_close(&calls->presenter);
    fth_seeker_close(&calls->seeker);
    fth_starts_free(&calls->starts);
    fth_calls_close(calls->past);
    fth_process_names_free(&calls->names);
    free(calls->threads);
    free(calls->queue);
    free(calls->stretches);
    free(calls);
}
