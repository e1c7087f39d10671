/* The shares and threads of a process, as its calls are opened; and how they are closed. */
#include "model/calls/calls_state.h"

#include "base/memory.h"

#include <string.h>

bool fth_calls_is_before(const struct fth_calls *calls, uint32_t one, uint32_t other)
{
    int64_t left = calls->threads[one].next_start, right = calls->threads[other].next_start;
    return left != right ? left < right : one < other;
}

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
    size_t common = 0;
    calls->shares = fth_new(calls->process->share_count, sizeof *calls->shares);
    for (size_t i = 0; i < calls->process->share_count; i++) {
        const struct fth_model_share *from = &calls->process->shares[i];
        struct fth_share *share = &calls->shares[i];
        if (fth_stored_part_process(from->part, from->index, &share->stored, error))
            return -1;
        calls->share_count++;
        for (size_t k = 0; k < share->stored.track_count; k++)
            share->stored.tracks[k].thread =
                fth_model_thread(calls->process, share->stored.tracks[k].thread);
        share->part = from->part;
        share->templates = fth_new(from->part->strings.count, sizeof *share->templates);
        share->first_signature = signatures;
        share->first_common = common;
        calls->has_starts = calls->has_starts || fth_share_has_starts(share);
        signatures += share->stored.signature_count;
        common += from->part->signatures.count;
    }
    fth_process_names_init(&calls->names);
    fth_presenter_open(&calls->presenter, calls->trace, calls->proc, signatures, common,
                       &calls->names);
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
    return fth_calls_is_before(context, a, b) ? -1 : a != b;
}

/* A thread is opened when its first call may be due: one process may have had any number of them,
 * one after the other. */
static void list_threads(struct fth_calls *calls, size_t stretch_count)
{
    for (size_t i = 0; i < stretch_count; i++) {
        const struct fth_stretch *stretch = &calls->stretches[i];
        if (i && stretch[-1].track->thread == stretch->track->thread) {
            calls->threads[calls->thread_count - 1].stretch_count++;
            continue;
        }
        FTH_GROW(calls->threads, calls->thread_count);
        calls->threads[calls->thread_count++] = (struct fth_calls_thread){
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

static struct fth_calls *open_from(struct fth_trace *trace, size_t proc, int64_t time,
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

struct fth_calls *fth_calls_as_asked(struct fth_trace *trace, size_t proc, struct fth_error **error)
{
    return open_from(trace, proc, INT64_MIN, error);
}

struct fth_calls *fth_calls_from(struct fth_trace *trace, size_t proc, int64_t time,
                                 struct fth_error **error)
{
    struct fth_calls *calls = open_from(trace, proc, time, error);
    if (calls)
        calls->completed = fth_completed_find(trace, proc, calls->shares, calls->share_count);
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

void fth_calls_choose(struct fth_calls *calls, const struct fth_choice *choice)
{
    calls->chosen = fth_chosen_new(calls->trace, calls->presenter.signature_count, choice);
}

void fth_calls_leave_handles(struct fth_calls *calls, const char *handle_class)
{
    int left_out = fth_class_of_name(&calls->trace->catalog, handle_class, strlen(handle_class));
    if (left_out >= 0 && !calls->trace->communicators.keys.count)
        fth_handle_tree_leave_out(calls->handles, left_out);
}

uint64_t fth_calls_left_out(const struct fth_calls *calls)
{
    return calls->left_out;
}

const struct fth_handle *fth_calls_ended_handle(struct fth_calls *calls)
{
    return calls->handles ? fth_handle_tree_ended(calls->handles) : NULL;
}

void fth_calls_close_thread(struct fth_calls_thread *thread)
{
    if (thread->open)
        fth_thread_reader_close(&thread->reader);
    fth_entry_order_free(&thread->inner);
    fth_arena_free(&thread->arena);
    fth_thread_starts_free(&thread->starts);
    free(thread->raw);
    fth_error_free(thread->ahead_error);
    thread->raw = NULL;
    thread->ahead_error = NULL;
    thread->open = false;
}

void fth_calls_close(struct fth_calls *calls)
{
    if (!calls)
        return;
    for (size_t i = 0; i < calls->thread_count; i++)
        fth_calls_close_thread(&calls->threads[i]);
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
    fth_completed_free(calls->completed);
    fth_chosen_free(calls->chosen);
    fth_control_blocks_free(&calls->blocks);
    fth_process_names_free(&calls->names);
    if (calls->turns)
        fth_loops_free(calls->turns->loops);
    fth_turns_free(calls->turns);
    free(calls->threads);
    free(calls->queue);
    free(calls->stretches);
    free(calls);
}
