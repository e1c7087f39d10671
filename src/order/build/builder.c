/* Calls in order of entry become events of their threads: one when a call that orders something is
 * entered, one when it is left, which is known when the next call of the thread is not inside it.
 * Each thread begins with an event, and ends with one. */
#include "order/build/builder.h"
#include "base/memory.h"
#include "trace/record/builtin.h"

#include <string.h>

void fth_builder_begin(struct fth_order_builder *builder)
{
    builder->threads = fth_new(builder->thread_count + 1, sizeof *builder->threads);
    for (uint32_t i = 0; i < builder->thread_count; i++)
        builder->threads[i].steps = 1;
    builder->groups.world = FTH_NO_MEMBER;
    builder->requests.cancelled = FTH_NO_OPERATION;
    if (builder->operations->mpi.world != FTH_NO_GROUP)
        builder->groups.world = fth_order_operations_add_member(builder->operations,
                                                                FTH_MEMBER_WORLD, "MPI_COMM_WORLD");
}

static struct fth_moment now(const struct fth_order_builder *builder, uint32_t thread)
{
    return (struct fth_moment){builder->operations->first_timeline + thread,
                               builder->threads[thread].steps};
}

/* ---- calls that are left ---- */

/* The moments behind the call. */
static void settle_tickets(struct fth_order_builder *builder, uint32_t number,
                           const struct fth_builder_frame *frame)
{
    struct fth_builder_thread *thread = &builder->threads[number];
    for (size_t i = frame->tickets; i < thread->ticket_count; i++) {
        builder->tickets.moments[thread->tickets[i]] = now(builder, number);
        fth_clocks_mark(builder->clocks, now(builder, number));
    }
    thread->ticket_count = frame->tickets;
}

static void leave(struct fth_order_builder *builder, uint32_t number)
{
    struct fth_builder_thread *thread = &builder->threads[number];
    const struct fth_builder_frame *frame = &thread->frames[--thread->frame_count];
    bool asked = frame->asked || frame->tickets < thread->ticket_count;
    if (frame->gives_up_last)
        settle_tickets(builder, number, frame);
    if (frame->is_event) {
        struct fth_event end = fth_builder_next_event(builder, number);
        for (size_t i = frame->completing; i < thread->completing_count; i++) {
            struct fth_order_operation *operation =
                fth_order_operation_to_change(builder->operations, thread->completing[i]);
            operation->end = end;
            operation->flags |= FTH_SYNC_COMPLETED;
        }
        thread->completing_count = frame->completing;
        fth_builder_behind_event(builder, number, frame->end);
        fth_builder_did(builder, number);
    }
    settle_tickets(builder, number, frame);
    if (frame->changes < thread->change_count)
        fth_builder_changed(builder, number, frame->changes);
    if (frame->opened)
        fth_builder_opened(builder, number, frame->opened - 1);
    if (asked)
        fth_builder_behind_moment(builder, number, frame->end);
}

/* Of other threads: what is over when the call begins. */
static void leave_ended(struct fth_order_builder *builder, int64_t start)
{
    if (!builder->possible.pools || start < builder->tickets.soonest_end)
        return;
    builder->tickets.soonest_end = INT64_MAX;
    for (uint32_t i = 0; i < builder->thread_count; i++) {
        struct fth_builder_thread *thread = &builder->threads[i];
        while (thread->frame_count && thread->frames[thread->frame_count - 1].end <= start)
            leave(builder, i);
        if (thread->frame_count &&
            thread->frames[thread->frame_count - 1].end < builder->tickets.soonest_end)
            builder->tickets.soonest_end = thread->frames[thread->frame_count - 1].end;
    }
}

static void leave_to(struct fth_order_builder *builder, uint32_t number, uint32_t depth)
{
    struct fth_builder_thread *thread = &builder->threads[number];
    while (thread->frame_count && thread->frames[thread->frame_count - 1].depth >= depth)
        leave(builder, number);
}

void fth_builder_leave_all(struct fth_order_builder *builder, uint32_t thread)
{
    leave_to(builder, thread, 0);
}

/* ---- the door ---- */

/* Though it fails: who does not get what it asked for has seen that it was not there; or has given
 * up what it had for it. */
static bool does_so_anyway(const struct fth_order_semantics *semantics)
{
    return semantics->what == FTH_ORDERS_LOCK || semantics->what == FTH_ORDERS_CONTACT ||
           semantics->what == FTH_ORDERS_TRANSFER || semantics->operation == FTH_SYNC_REAP ||
           (semantics->what == FTH_ORDERS_MUTEX && semantics->thread.turn == FTH_TURN_REACQUIRE) ||
           (semantics->what == FTH_ORDERS_TALLY &&
            (semantics->tally.form == FTH_TALLY_OF_HANDLE ||
             semantics->tally.form == FTH_TALLY_OF_QUEUE) &&
            semantics->tally.tick == FTH_TICK_DOWN) ||
           (semantics->what == FTH_ORDERS_TALLY &&
            semantics->tally.form == FTH_TALLY_OF_OPERATIONS);
}

/* Of calls on descriptors few are. */
static bool is_event(struct fth_order_builder *builder, const struct fth_order_semantics *semantics,
                     struct fth_lock_event *lock)
{
    if (semantics->what == FTH_ORDERS_LOCK)
        return fth_builder_lock_event(builder, semantics, lock) ||
               fth_builder_asks_lock(builder, semantics) ||
               fth_builder_asks_bytes(builder, semantics);
    if (semantics->what == FTH_ORDERS_CLOSE)
        return fth_builder_holds(builder, fth_builder_closed(builder)) ||
               fth_builder_has_descriptor(builder, fth_builder_closed(builder));
    if (semantics->what == FTH_ORDERS_CLOSES)
        return true;
    if (semantics->what == FTH_ORDERS_TRANSFER)
        return fth_builder_transfers(builder, semantics);
    if (semantics->what == FTH_ORDERS_SHUT)
        return fth_builder_is_socket(builder);
    if (semantics->what == FTH_ORDERS_TALLY)
        return fth_builder_counts(builder, semantics);
    if (semantics->what == FTH_ORDERS_CONTACT)
        return fth_builder_contacts(builder, semantics);
    if (semantics->what == FTH_ORDERS_REMOTE || semantics->what == FTH_ORDERS_READINESS)
        return builder->possible.watches;
    if (semantics->what == FTH_ORDERS_SEEK)
        fth_builder_moved(builder);
    if (semantics->what == FTH_ORDERS_PIPE) {
        fth_builder_make_pipe(builder, semantics);
        fth_builder_descriptors(builder, semantics);
    }
    return semantics->what != FTH_ORDERS_SEEK && semantics->what != FTH_ORDERS_PIPE;
}

void fth_order_stands(struct fth_order_builder *builder, int64_t position)
{
    builder->locks.position = position;
    builder->locks.position_known = true;
}

void fth_order_follow(struct fth_order_builder *builder, struct fth_accesses *accesses)
{
    builder->accesses = accesses;
}

/* Is the thread inside a call of MPI? */
static void note_library(struct fth_order_builder *builder, struct fth_builder_thread *thread,
                         const struct fth_call *call)
{
    if (call->depth < thread->in_library)
        thread->in_library = 0;
    if (thread->in_library)
        return;
    if (call->function->layer != builder->layer) {
        builder->layer = call->function->layer;
        builder->is_mpi = fth_layer_is(builder->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER);
    }
    if (builder->is_mpi)
        thread->in_library = call->depth + 1;
}

bool fth_order_call(struct fth_order_builder *builder, const struct fth_call *call,
                    struct fth_error **error)
{
    if (call->thread >= builder->thread_count) {
        fth_fail(error, "process %zu has a call of thread %u, and only %u threads", builder->proc,
                 call->thread, builder->thread_count);
        return false;
    }
    struct fth_builder_thread *thread = &builder->threads[call->thread];
    if (thread->frame_count)
        leave_to(builder, call->thread, call->depth);
    leave_ended(builder, call->start);
    fth_builder_mark(builder, call->thread);
    builder->call = call;
    builder->thread = call->thread;
    builder->depth = call->depth;
    builder->fed = true;
    builder->listed = false;
    builder->locks.locked = NULL;
    if (!thread->seen)
        fth_builder_note_starter(builder);
    thread->seen = true;
    note_library(builder, thread, call);
    fth_builder_openings(builder);
    const struct fth_order_semantics *semantics =
        fth_order_semantics(builder->semantics_table, call->function);
    if (!call->error_number)
        fth_builder_descriptors(builder, semantics);
    if (!semantics || (call->error_number && !does_so_anyway(semantics)))
        return true;
    if (thread->steps >= UINT32_MAX - 16 ||
        builder->operations->operation_count >= UINT32_MAX - 16 ||
        builder->operations->mpi.accesses.count >= UINT32_MAX - 16) {
        fth_fail(error, "process %zu has more than 4 billion calls that order it with others",
                 builder->proc);
        return false;
    }
    if (semantics->what == FTH_ORDERS_REMOTE)
        fth_builder_list_access(builder, semantics);
    struct fth_lock_event lock;
    if (!is_event(builder, semantics, &lock))
        return true;
    fth_builder_before_event(builder);
    fth_builder_enter(builder, true);
    struct fth_event begin = fth_builder_next_event(builder, call->thread);
    fth_builder_depends(builder, call->thread, begin);
    fth_builder_did(builder, call->thread);
    if (semantics->what == FTH_ORDERS_LOCK && fth_builder_asks_bytes(builder, semantics))
        fth_builder_look(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_LOCK && fth_builder_asks_lock(builder, semantics))
        fth_builder_ask_lock(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_LOCK)
        fth_builder_lock(builder, semantics, &lock, begin);
    else if (semantics->what == FTH_ORDERS_CLOSE)
        fth_builder_close(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_CLOSES)
        fth_builder_close_unnamed(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_TRANSFER)
        fth_builder_transfer(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_READINESS)
        fth_builder_readiness(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_REMOTE)
        fth_builder_remote(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_SHUT)
        fth_builder_shut(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_CONTACT)
        fth_builder_contact(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_TALLY)
        fth_builder_tick(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_THREAD)
        fth_builder_thread(builder, semantics, begin);
    else if (semantics->what == FTH_ORDERS_MUTEX)
        fth_builder_mutex(builder, semantics, begin);
    else
        fth_builder_note(builder, semantics, begin);
    return true;
}

bool fth_order_is_event(const struct fth_order_builder *builder)
{
    const struct fth_builder_thread *thread = &builder->threads[builder->thread];
    if (!thread->frame_count)
        return false;
    const struct fth_builder_frame *top = &thread->frames[thread->frame_count - 1];
    return top->depth == builder->depth && top->is_event;
}

bool fth_order_takes_each(const struct fth_order_builder *builder)
{
    return builder->listed || fth_order_is_event(builder);
}

struct fth_moment fth_order_here(struct fth_order_builder *builder)
{
    fth_builder_before_moment(builder);
    if (builder->possible.shares)
        fth_builder_frame_of_call(builder)->asked = true;
    struct fth_moment moment = now(builder, builder->thread);
    fth_clocks_mark(builder->clocks, moment);
    return moment;
}

struct fth_order_ticket fth_order_behind(struct fth_order_builder *builder)
{
    struct fth_builder_thread *thread = &builder->threads[builder->thread];
    fth_builder_frame_of_call(builder);
    FTH_GROW(thread->tickets, thread->ticket_count);
    thread->tickets[thread->ticket_count++] = (uint32_t)builder->tickets.count;
    FTH_GROW(builder->tickets.moments, builder->tickets.count);
    builder->tickets.moments[builder->tickets.count] = now(builder, builder->thread);
    return (struct fth_order_ticket){(uint32_t)builder->proc, (uint32_t)builder->tickets.count++};
}

static void note_leaks(struct fth_order_builder *builder)
{
    for (uint32_t i = 0; i < builder->requests.room; i++) {
        for (int k = 0; builder->requests.by_slot[i].used && k < 2; k++) {
            uint32_t operation = builder->requests.by_slot[i].operations[k];
            if (operation == FTH_NO_OPERATION ||
                fth_order_operation(builder->operations, operation).flags & FTH_SYNC_COMPLETED)
                continue;
            FTH_GROW(builder->tickets.leaked, builder->tickets.leaked_count);
            builder->tickets.leaked[builder->tickets.leaked_count++] = operation;
        }
    }
}

void fth_order_feed_end(struct fth_order_builder *builder)
{
    if (builder->ended)
        return;
    builder->ended = true;
    builder->call = NULL;
    builder->operations->steps =
        fth_new(builder->thread_count + 1, sizeof *builder->operations->steps);
    for (uint32_t i = 0; i < builder->thread_count; i++) {
        leave_to(builder, i, 0);
        fth_builder_before_end(builder, i);
        fth_builder_next_event(builder, i);
        builder->operations->steps[i] = builder->threads[i].steps;
        free(builder->threads[i].frames);
        free(builder->threads[i].completing);
        free(builder->threads[i].tickets);
        free(builder->threads[i].changes);
    }
    fth_builder_end_locks(builder);
    note_leaks(builder);
    fth_order_operations_pack(builder->operations);
    fth_rows_end(&builder->operations->mpi.accesses);
    free(builder->locks.files);
    fth_intern_free(&builder->locks.names);
    free(builder->locks.moved);
    free(builder->locks.held);
    free(builder->pipes.ends);
    free(builder->descriptors.by_handle);
    free(builder->possible.dirty);
    free(builder->openings.events);
    fth_keyed_free(&builder->openings.numbers);
    fth_intern_free(&builder->pipes.names);
    fth_intern_free(&builder->tallies.keys);
    fth_intern_free(&builder->names.seen);
    free(builder->names.states);
    fth_intern_free(&builder->flags.seen);
    free(builder->flags.asked);
    free(builder->flags.flags);
    free(builder->flags.of_handles);
    free(builder->windows.epochs);
    free(builder->waits.created);
    free(builder->waits.mutexes);
    free(builder->threads);
    free(builder->requests.by_slot);
    free(builder->requests.messages);
    free(builder->groups.members);
    free(builder->groups.nodes);
    builder->threads = NULL;
    builder->requests.by_slot = NULL;
    builder->requests.messages = builder->groups.members = builder->groups.nodes = NULL;
}

void fth_builder_free(struct fth_order_builder *builder)
{
    if (builder->threads && !builder->ended)
        fth_order_feed_end(builder);
    free(builder->tickets.moments);
    free(builder->tickets.leaked);
}
