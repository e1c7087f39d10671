/* Calls of a thread, in the order in which they were decoded: which go out alone, which wait for
 * the call around them, which are a turn that comes again, and which nobody wants. */
#include "model/calls/calls_state.h"

enum {
    MOST_WAITING = 1 << 20, /* calls inside a call; when there are more, they go out without it */
};

/* The turn of these calls does not come again: they wait for the call around them. */
static void take_kept(struct fth_calls *calls, struct fth_calls_thread *thread)
{
    calls->presenter.late = true;
    for (uint32_t i = 0; i < thread->raw_kept; i++)
        fth_entry_order_take(&thread->inner, &calls->presenter, &thread->reader, &thread->raw[i],
                             &thread->starts);
    calls->presenter.late = false;
    thread->raw_kept = 0;
}

/* Is it not wanted, nor needed for others? */
static bool is_left_out(struct fth_calls *calls, struct fth_calls_thread *thread,
                        const struct fth_raw_call *raw)
{
    if (!calls->chosen || thread->starts.open_count ||
        (calls->has_starts && !thread->starter_is_known))
        return false;
    const struct fth_showing showing = {
        calls->trace,          calls->process, &calls->presenter.texts,
        &thread->reader.state, &thread->arena, raw};
    bool wanted = fth_chosen_has(calls->chosen, &showing);
    if (thread->arena.used)
        fth_arena_reset(&thread->arena);
    calls->left_out += !wanted;
    return !wanted;
}

/* It goes out, and no other with it; or it is left out. */
static bool take_alone(struct fth_calls *calls, struct fth_calls_thread *thread,
                       const struct fth_raw_call *raw)
{
    thread->raw_kept = 0;
    thread->alone = !is_left_out(calls, thread, raw);
    thread->next_number += !thread->alone;
    return thread->alone;
}

/* A call was decoded, behind those that are kept. Returns whether calls are ready to go out: it is
 * in no other. */
static bool take_call(struct fth_calls *calls, struct fth_calls_thread *thread, bool *keeps)
{
    const struct fth_raw_call *raw = &thread->raw[thread->raw_kept];
    bool is_outermost = raw->depth == 0, is_first = !thread->inner.count && !thread->raw_kept;
    *keeps = *keeps && fth_calls_gather(calls, thread, raw);
    if (*keeps) {
        thread->raw_kept++;
        thread->again = is_outermost && fth_calls_comes_again(calls, thread);
        if (!is_outermost || thread->again)
            return is_outermost;
    }
    if (is_outermost && is_first && !thread->starts.open_count)
        return take_alone(calls, thread, raw);
    take_kept(calls, thread);
    if (is_left_out(calls, thread, raw)) {
        fth_entry_order_leave_out(&thread->inner, &calls->presenter, raw);
        return is_outermost;
    }
    if (!*keeps) {
        fth_entry_order_take(&thread->inner, &calls->presenter, &thread->reader, raw,
                             &thread->starts);
        if (calls->turns)
            fth_calls_gather(calls, thread, raw);
    }
    return is_outermost;
}

/* The next call, which may have been decoded. */
static int decode(struct fth_calls_thread *thread, struct fth_raw_call *call,
                  struct fth_error **error)
{
    if (!thread->is_ahead)
        return fth_thread_reader_next(&thread->reader, call, error);
    thread->is_ahead = false;
    if (thread->ahead_status > 0)
        *call = thread->ahead;
    if (thread->ahead_status < 0) {
        *error = thread->ahead_error;
        thread->ahead_error = NULL;
    }
    return thread->ahead_status;
}

/* Calls that nobody wants, and that nothing waits for, are not looked at one by one. */
static int pass_unwanted(struct fth_calls *calls, struct fth_calls_thread *thread,
                         struct fth_error **error)
{
    const struct fth_chosen *chosen = calls->chosen;
    uint64_t passed;
    if (!chosen || calls->turns || thread->raw_kept || thread->inner.count || thread->is_ahead ||
        thread->starts.open_count || (calls->has_starts && !thread->starter_is_known))
        return 0;
    const struct fth_unwanted unwanted = {chosen->functions, chosen->unwanted};
    if (fth_thread_reader_pass(&thread->reader, &unwanted, &passed, error))
        return -1;
    calls->left_out += passed;
    thread->next_number += passed;
    return 0;
}

int fth_calls_fill(struct fth_calls *calls, struct fth_calls_thread *thread,
                   struct fth_error **error)
{
    struct fth_entry_order *inner = &thread->inner;
    bool keeps = calls->turns && !thread->starts.open_count;
    if (inner->count)
        fth_entry_order_empty(inner);
    if (thread->arena.used)
        fth_arena_reset(&thread->arena);
    thread->noted = NULL;
    if (calls->turns)
        fth_calls_begin_turn(calls->turns, keeps);
    for (bool ready = false; !ready && inner->count < MOST_WAITING;) {
        thread->raw = fth_present_room(thread->raw, &thread->raw_limit, thread->raw_kept,
                                       sizeof *thread->raw);
        int status = pass_unwanted(calls, thread, error);
        if (status == 0)
            status = decode(thread, &thread->raw[thread->raw_kept], error);
        if (status < 0) {
            fth_entry_order_empty(inner);
            return -1;
        }
        if (thread->reader.start_count) {
            fth_starts_take(&thread->starts, &thread->reader);
            if (calls->turns) /* a turn that starts threads is like no other */
                calls->turns->is_plain = false;
        }
        thread->ended = status == 0;
        if (thread->ended)
            break;
        ready = take_call(calls, thread, &keeps);
    }
    take_kept(calls, thread);
    fth_entry_order_settle(inner, thread->next_number, &thread->reader, &thread->starts,
                           &calls->starts);
    thread->next_number += inner->count;
    if (calls->turns && inner->count)
        fth_calls_note_turn(calls, thread);
    return 0;
}
