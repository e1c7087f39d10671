/* Calls of a process in order of entry: those of each thread are put into that order
 * (entry_order.c), and threads are merged by time. */
#include "model/calls/calls_state.h"

#include <inttypes.h>

/* ---- threads by time ---- */

/* The first thread's next call has become later: it sinks to where it belongs. */
static void sink_first(struct fth_calls *calls)
{
    uint32_t *queue = calls->queue, sinking = queue[0];
    size_t at = 0;
    for (size_t below; (below = 2 * at + 1) < calls->queue_length; at = below) {
        if (below + 1 < calls->queue_length &&
            fth_calls_is_before(calls, queue[below + 1], queue[below]))
            below++;
        if (!fth_calls_is_before(calls, queue[below], sinking))
            break;
        queue[at] = queue[below];
    }
    queue[at] = sinking;
}

static void leave_queue(struct fth_calls *calls)
{
    fth_calls_close_thread(&calls->threads[calls->queue[0]]);
    calls->queue[0] = calls->queue[--calls->queue_length];
    if (calls->queue_length)
        sink_first(calls);
}

/* ---- the next call ---- */

static int open_thread(struct fth_calls *calls, struct fth_calls_thread *thread,
                       struct fth_error **error)
{
    fth_thread_reader_open(&thread->reader, calls->trace, &calls->names, thread->stretches,
                           thread->stretch_count);
    thread->open = true;
    thread->reader.keeps_starts = calls->has_starts;
    if (calls->from == INT64_MIN)
        return 0;
    return fth_seek_time(&calls->seeker, &thread->reader, calls->from, &thread->next_number, error);
}

/* More calls of a thread whose last ones are out. */
static int refill(struct fth_calls *calls, struct fth_calls_thread *thread,
                  struct fth_error **error)
{
    if ((!thread->open && open_thread(calls, thread, error)) ||
        fth_calls_fill(calls, thread, error))
        return fth_fail_in(error, "process %zu of trace '%s'", calls->proc, calls->trace->path);
    if (thread->alone)
        thread->next_start = fth_model_time(calls->process, thread->raw->entry);
    else if (fth_entry_order_has_next(&thread->inner))
        thread->next_start = fth_entry_order_start(&thread->inner);
    return 0;
}

/* A call in no other, with none inside. */
static void give_alone(struct fth_calls *calls, struct fth_calls_thread *thread,
                       struct fth_call *call)
{
    fth_present(&calls->presenter, &thread->reader, &thread->arena, thread->raw, call);
    call->number = thread->next_number++;
    thread->alone = false;
    if (!calls->turns)
        return;
    fth_calls_begin_turn(calls->turns, true);
    if (!(calls->turns->loops && fth_calls_keep_for_loops(calls, thread)) &&
        fth_calls_gather(calls, thread, thread->raw))
        fth_calls_note_turn(calls, thread);
    fth_calls_set_site(calls->turns, thread, thread->raw->signature->function, 0);
}

/* Gives the thread's next call out. */
static void give(struct fth_calls *calls, struct fth_calls_thread *thread, struct fth_call *call)
{
    if (thread->alone) {
        give_alone(calls, thread, call);
        return;
    }
    fth_entry_order_give(&thread->inner, call);
    if (calls->turns)
        fth_loops_break(calls->turns->loops);
    if (calls->turns)
        fth_calls_set_site(calls->turns, thread, (size_t)(call->function - calls->trace->functions),
                           thread->inner.next - 1);
    /* After its last one it stays where it is, with a time before its next call. */
    if (fth_entry_order_has_next(&thread->inner))
        thread->next_start = fth_entry_order_start(&thread->inner);
}

/* ---- who started a thread ---- */

/* Who reads from the middle on has not seen it: reads from the start up to the thread's first call.
 * What is damaged there says nothing. */
static void look_into_the_past(struct fth_calls *calls, struct fth_calls_thread *thread)
{
    size_t index = (size_t)(thread - calls->threads);
    struct fth_error *error = NULL;
    struct fth_call call;
    if (!calls->past)
        calls->past = fth_calls_as_asked(calls->trace, calls->proc, &error);
    while (calls->past && !calls->past->threads[index].starter_is_known &&
           fth_calls_next(calls->past, &call, &error) > 0)
        ;
    if (calls->past)
        thread->starter = calls->past->threads[index].starter;
    fth_error_free(error);
}

/* Calls around it, in its own thread, it has none. */
static void find_starter(struct fth_calls *calls, struct fth_calls_thread *thread,
                         struct fth_call *call)
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
        struct fth_calls_thread *first = &calls->threads[calls->queue[0]];
        bool is_ready = first->alone || fth_entry_order_has_next(&first->inner);
        if (!is_ready && first->ended) {
            leave_queue(calls);
            continue;
        }
        if (!is_ready && refill(calls, first, error))
            return -1;
        if (first->again) {
            first->again = false;
            return FTH_AGAIN;
        }
        /* The only one left is the first, whatever its time. */
        if (!is_ready && calls->queue_length > 1) {
            sink_first(calls);
            continue;
        }
        if (!first->alone && !fth_entry_order_has_next(&first->inner))
            continue;
        give(calls, first, call);
        fth_control_blocks_put(&calls->blocks, calls->trace, call);
        if (calls->completed)
            fth_completed_put(calls->completed, call, calls->blocks.list);
        if (calls->has_starts && call->depth == 0)
            find_starter(calls, first, call);
        if (calls->handles) {
            fth_handle_tree_add(calls->handles, (size_t)(first - calls->threads), call);
            fth_control_blocks_put_handles(&calls->blocks, call);
        }
        if (calls->queue_length > 1)
            sink_first(calls);
        if (call->end >= calls->from)
            return 1;
    }
    if (calls->handles)
        fth_handle_tree_end(calls->handles);
    return 0;
}
