/* Calls in order of entry become events of their threads: one when a call that orders something is
 * entered, one when it is left, which is known when the next call of the thread is not inside it.
 * Each thread begins with an event, and ends with one. */
#include "order/build/feeder.h"
#include "base/memory.h"

#include <string.h>

void fth_feeder_begin(struct fth_order_feeder *feeder)
{
    feeder->threads = fth_new(feeder->thread_count + 1, sizeof *feeder->threads);
    for (uint32_t i = 0; i < feeder->thread_count; i++)
        feeder->threads[i].steps = 1;
    feeder->world = FTH_NO_MEMBER;
    feeder->cancelled = FTH_NO_DEED;
    if (feeder->deeds->world != FTH_NO_GROUP)
        feeder->world =
            fth_order_deeds_add_member(feeder->deeds, FTH_MEMBER_WORLD, "MPI_COMM_WORLD");
}

struct fth_event fth_feeder_next_event(struct fth_order_feeder *feeder, uint32_t thread)
{
    feeder->threads[thread].marked = false;
    return (struct fth_event){feeder->deeds->first_strand + thread,
                              feeder->threads[thread].steps++};
}

static struct fth_moment now(const struct fth_order_feeder *feeder, uint32_t thread)
{
    return (struct fth_moment){feeder->deeds->first_strand + thread, feeder->threads[thread].steps};
}

/* ---- calls that are left ---- */

static void leave(struct fth_order_feeder *feeder, uint32_t number)
{
    struct fth_feeder_thread *thread = &feeder->threads[number];
    const struct fth_feeder_frame *frame = &thread->frames[--thread->frame_count];
    if (frame->is_event) {
        struct fth_event end = fth_feeder_next_event(feeder, number);
        for (size_t i = frame->completing; i < thread->completing_count; i++) {
            feeder->deeds->deeds[thread->completing[i]].end = end;
            feeder->deeds->deeds[thread->completing[i]].flags |= FTH_DEED_COMPLETED;
        }
        thread->completing_count = frame->completing;
        fth_feeder_did(feeder, number);
    }
    bool asked = frame->asked || frame->tickets < thread->ticket_count;
    for (size_t i = frame->tickets; i < thread->ticket_count; i++) {
        feeder->moments[thread->tickets[i]] = now(feeder, number);
        fth_clocks_mark(feeder->clocks, now(feeder, number));
    }
    thread->ticket_count = frame->tickets;
    if (asked)
        fth_feeder_behind_moment(feeder, number, frame->end);
}

/* Of other threads: what is over when the call begins. */
static void leave_ended(struct fth_order_feeder *feeder, int64_t start)
{
    if (!feeder->pools || start < feeder->soonest_end)
        return;
    feeder->soonest_end = INT64_MAX;
    for (uint32_t i = 0; i < feeder->thread_count; i++) {
        struct fth_feeder_thread *thread = &feeder->threads[i];
        while (thread->frame_count && thread->frames[thread->frame_count - 1].end <= start)
            leave(feeder, i);
        if (thread->frame_count &&
            thread->frames[thread->frame_count - 1].end < feeder->soonest_end)
            feeder->soonest_end = thread->frames[thread->frame_count - 1].end;
    }
}

static void leave_to(struct fth_order_feeder *feeder, uint32_t number, uint32_t depth)
{
    struct fth_feeder_thread *thread = &feeder->threads[number];
    while (thread->frame_count && thread->frames[thread->frame_count - 1].depth >= depth)
        leave(feeder, number);
}

static void enter(struct fth_order_feeder *feeder, bool is_event)
{
    struct fth_feeder_thread *thread = &feeder->threads[feeder->thread];
    thread->frames =
        fth_reach(thread->frames, &thread->frame_room, thread->frame_count, sizeof *thread->frames);
    thread->frames[thread->frame_count++] = (struct fth_feeder_frame){
        .depth = feeder->depth,
        .is_event = is_event,
        .end = feeder->call->end,
        .completing = thread->completing_count,
        .tickets = thread->ticket_count,
    };
    if (feeder->call->end < feeder->soonest_end)
        feeder->soonest_end = feeder->call->end;
}

void fth_feeder_complete(struct fth_order_feeder *feeder, uint32_t deed)
{
    struct fth_feeder_thread *thread = &feeder->threads[feeder->thread];
    FTH_GROW(thread->completing, thread->completing_count);
    thread->completing[thread->completing_count++] = deed;
}

/* ---- the door ---- */

/* Though it fails: who does not get what it asked for has seen that it was not there. */
static bool does_so_anyway(const struct fth_order_sense *sense)
{
    return (sense->what == FTH_ORDERS_MUTEX && sense->turn == FTH_TURN_REACQUIRE) ||
           (sense->what == FTH_ORDERS_TALLY &&
            (sense->tally == FTH_TALLY_OF_HANDLE || sense->tally == FTH_TALLY_OF_QUEUE) &&
            sense->tick == FTH_TICK_DOWN) ||
           (sense->what == FTH_ORDERS_TALLY && sense->tally == FTH_TALLY_OF_OPERATIONS);
}

/* Of calls on descriptors few are. */
static bool is_event(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     struct fth_lock_event *lock)
{
    if (sense->what == FTH_ORDERS_LOCK)
        return fth_feeder_lock_event(feeder, lock);
    if (sense->what == FTH_ORDERS_CLOSE)
        return fth_feeder_holds(feeder, fth_feeder_closed(feeder)) ||
               fth_feeder_could_write(feeder, fth_feeder_closed(feeder));
    if (sense->what == FTH_ORDERS_CLOSES)
        return feeder->held_count || feeder->end_room;
    if (sense->what == FTH_ORDERS_TRANSFER)
        return fth_feeder_transfers(feeder, sense);
    if (sense->what == FTH_ORDERS_SHUT)
        return fth_feeder_is_socket(feeder);
    if (sense->what == FTH_ORDERS_TALLY)
        return fth_feeder_counts(feeder, sense);
    if (sense->what == FTH_ORDERS_REMOTE)
        return feeder->watches;
    if (sense->what == FTH_ORDERS_SEEK)
        fth_feeder_moved(feeder);
    if (sense->what == FTH_ORDERS_PIPE)
        fth_feeder_make_pipe(feeder, sense);
    return sense->what != FTH_ORDERS_SEEK && sense->what != FTH_ORDERS_PIPE;
}

void fth_order_stands(struct fth_order_feeder *feeder, int64_t position)
{
    feeder->stands = position;
    feeder->stands_told = true;
}

void fth_order_follow(struct fth_order_feeder *feeder, struct fth_accesses *accesses)
{
    feeder->accesses = accesses;
}

bool fth_order_call(struct fth_order_feeder *feeder, const struct fth_call *call,
                    struct fth_error **error)
{
    if (call->thread >= feeder->thread_count) {
        fth_fail(error, "process %zu has a call of thread %u, and only %u threads", feeder->proc,
                 call->thread, feeder->thread_count);
        return false;
    }
    struct fth_feeder_thread *thread = &feeder->threads[call->thread];
    if (thread->frame_count)
        leave_to(feeder, call->thread, call->depth);
    leave_ended(feeder, call->start);
    feeder->call = call;
    feeder->thread = call->thread;
    feeder->depth = call->depth;
    feeder->fed = true;
    if (!thread->seen)
        fth_feeder_note_starter(feeder);
    thread->seen = true;
    const struct fth_order_sense *sense = fth_order_sense(feeder->senses, call->function);
    if (!sense || (call->error_number && !does_so_anyway(sense)))
        return true;
    if (thread->steps >= UINT32_MAX - 16 || feeder->deeds->deed_count >= UINT32_MAX - 16) {
        fth_fail(error, "process %zu has more than 4 billion calls that order it with others",
                 feeder->proc);
        return false;
    }
    struct fth_lock_event lock;
    if (!is_event(feeder, sense, &lock))
        return true;
    enter(feeder, true);
    struct fth_event begin = fth_feeder_next_event(feeder, call->thread);
    fth_feeder_depends(feeder, call->thread, begin);
    fth_feeder_did(feeder, call->thread);
    if (sense->what == FTH_ORDERS_LOCK)
        fth_feeder_lock(feeder, sense, &lock, begin);
    else if (sense->what == FTH_ORDERS_CLOSE)
        fth_feeder_close(feeder, sense, begin);
    else if (sense->what == FTH_ORDERS_CLOSES)
        fth_feeder_close_unnamed(feeder, sense, begin);
    else if (sense->what == FTH_ORDERS_TRANSFER)
        fth_feeder_transfer(feeder, sense, begin);
    else if (sense->what == FTH_ORDERS_REMOTE)
        fth_feeder_remote(feeder, sense, begin);
    else if (sense->what == FTH_ORDERS_SHUT)
        fth_feeder_shut(feeder, sense, begin);
    else if (sense->what == FTH_ORDERS_TALLY)
        fth_feeder_tick(feeder, sense, begin);
    else if (sense->what == FTH_ORDERS_THREAD)
        fth_feeder_thread(feeder, sense, begin);
    else if (sense->what == FTH_ORDERS_MUTEX)
        fth_feeder_mutex(feeder, sense, begin);
    else
        fth_feeder_note(feeder, sense, begin);
    return true;
}

bool fth_order_is_event(const struct fth_order_feeder *feeder)
{
    const struct fth_feeder_thread *thread = &feeder->threads[feeder->thread];
    if (!thread->frame_count)
        return false;
    const struct fth_feeder_frame *top = &thread->frames[thread->frame_count - 1];
    return top->depth == feeder->depth && top->is_event;
}

static struct fth_feeder_frame *frame_of_call(struct fth_order_feeder *feeder)
{
    struct fth_feeder_thread *thread = &feeder->threads[feeder->thread];
    if (!thread->frame_count || thread->frames[thread->frame_count - 1].depth != feeder->depth)
        enter(feeder, false);
    return &thread->frames[thread->frame_count - 1];
}

struct fth_moment fth_order_here(struct fth_order_feeder *feeder)
{
    fth_feeder_before_moment(feeder);
    if (feeder->shares)
        frame_of_call(feeder)->asked = true;
    struct fth_moment moment = now(feeder, feeder->thread);
    fth_clocks_mark(feeder->clocks, moment);
    return moment;
}

struct fth_order_ticket fth_order_behind(struct fth_order_feeder *feeder)
{
    struct fth_feeder_thread *thread = &feeder->threads[feeder->thread];
    frame_of_call(feeder);
    FTH_GROW(thread->tickets, thread->ticket_count);
    thread->tickets[thread->ticket_count++] = (uint32_t)feeder->moment_count;
    FTH_GROW(feeder->moments, feeder->moment_count);
    feeder->moments[feeder->moment_count] = now(feeder, feeder->thread);
    return (struct fth_order_ticket){(uint32_t)feeder->proc, (uint32_t)feeder->moment_count++};
}

static void note_leaks(struct fth_order_feeder *feeder)
{
    for (uint32_t i = 0; i < feeder->request_room; i++) {
        for (int k = 0; feeder->requests[i].used && k < 2; k++) {
            uint32_t deed = feeder->requests[i].deeds[k];
            if (deed == FTH_NO_DEED || feeder->deeds->deeds[deed].flags & FTH_DEED_COMPLETED)
                continue;
            FTH_GROW(feeder->leaked, feeder->leaked_count);
            feeder->leaked[feeder->leaked_count++] = deed;
        }
    }
}

void fth_order_feed_end(struct fth_order_feeder *feeder)
{
    if (feeder->ended)
        return;
    feeder->ended = true;
    feeder->call = NULL;
    feeder->deeds->steps = fth_new(feeder->thread_count + 1, sizeof *feeder->deeds->steps);
    for (uint32_t i = 0; i < feeder->thread_count; i++) {
        leave_to(feeder, i, 0);
        fth_feeder_next_event(feeder, i);
        feeder->deeds->steps[i] = feeder->threads[i].steps;
        free(feeder->threads[i].frames);
        free(feeder->threads[i].completing);
        free(feeder->threads[i].tickets);
    }
    fth_feeder_end_locks(feeder);
    fth_feeder_end_pipes(feeder);
    note_leaks(feeder);
    fth_order_deeds_pack(feeder->deeds);
    free(feeder->files);
    free(feeder->moved);
    free(feeder->held);
    free(feeder->ends);
    free(feeder->dirty);
    fth_intern_free(&feeder->pipe_names);
    fth_intern_free(&feeder->tally_keys);
    fth_intern_free(&feeder->seen_names);
    free(feeder->name_states);
    free(feeder->epochs);
    free(feeder->created);
    free(feeder->mutexes);
    free(feeder->threads);
    free(feeder->requests);
    free(feeder->messages);
    free(feeder->members);
    free(feeder->nodes);
    feeder->threads = NULL;
    feeder->requests = NULL;
    feeder->messages = feeder->members = feeder->nodes = NULL;
}

void fth_feeder_free(struct fth_order_feeder *feeder)
{
    if (feeder->threads && !feeder->ended)
        fth_order_feed_end(feeder);
    free(feeder->moments);
    free(feeder->leaked);
}
