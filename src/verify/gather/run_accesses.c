/* One pass over the calls of a process: what it accessed, and what may synchronize it. */
#include "verify/gather/gather.h"

#include "base/memory.h"
#include "model/calls/choice.h"
#include "model/ranges/selecting.h"

#include <string.h>

/* ---- calls ---- */

static void leave(struct fth_gathering *gather, struct fth_access_thread *thread)
{
    struct fth_entry *entry = &thread->stack[--thread->depth];
    if (entry->is_access) {
        entry->access.situation.ended = thread->tick;
        entry->access.situation.end_time = entry->end;
        fth_gather_access(gather->accesses, thread, &entry->access);
    }
    thread->tick += entry->mark_count > 0;
    for (uint32_t i = 0; i < entry->mark_count; i++)
        gather->accesses->marks[entry->mark + i].ended = thread->tick;
    if (entry->removes) { /* behind the mark: who opens a file to cut it off has opened it then */
        struct fth_pending_operation removal = {.situation = entry->removal,
                                                .call = entry->removal.first_call,
                                                .length = entry->removed.length,
                                                .piece_count = 1,
                                                .pieces = &entry->removed};
        removal.situation.began = removal.situation.ended = thread->tick;
        fth_gather_operation(gather->accesses, thread, &removal);
    }
    if (entry->semantics->marked_by_name && entry->mark_count) {
        struct fth_sync_mark *close = &gather->accesses->marks[entry->mark + entry->mark_count - 1];
        close->began = thread->tick++;
        close->ended = thread->tick;
    }
}

static struct fth_entry *enter(struct fth_gathering *gather, struct fth_access_thread *thread,
                               const struct fth_call *call)
{
    while (thread->depth > call->depth)
        leave(gather, thread);
    while (thread->depth <= call->depth) { /* a trace may begin inside calls */
        if (thread->depth == thread->room) {
            size_t old = thread->room;
            thread->room = old * 2 + 8;
            thread->stack = fth_resize(thread->stack, thread->room, sizeof *thread->stack);
            memset(&thread->stack[old], 0, (thread->room - old) * sizeof *thread->stack);
        }
        struct fth_entry *entry = &thread->stack[thread->depth++];
        entry->is_access = entry->removes = entry->is_of_all_streams = false;
        entry->mark_count = 0;
        entry->function = call->function;
        entry->semantics = fth_verify_semantics(&gather->wanted->semantics_table, call->function);
        entry->call = call->number;
        entry->source = call->source;
        entry->file = 0;
        entry->chain = FTH_NO_CHAIN;
        entry->end = call->end;
    }
    return &thread->stack[call->depth];
}

static bool take_call(struct fth_gathering *gather, const struct fth_access *access,
                      struct fth_accesses *accesses, struct fth_error **error)
{
    const struct fth_call *call = &access->call;
    struct fth_access_thread *thread = fth_gather_thread(gather, call->thread);
    struct fth_entry *entry = enter(gather, thread, call);
    gather->now = call->start;
    const struct fth_verify_semantics *semantics = entry->semantics;
    if (call->file && semantics->layer == gather->wanted->together)
        entry->file = fth_gather_file(gather, call->file) + 1;
    bool is_first = !gather->has_calls;
    gather->has_calls = true;
    gather->last_thread = call->thread;
    gather->last_call = call->number;
    fth_order_stands(gather->builder, access->stands);
    if (!fth_order_call(gather->builder, call, error))
        return false;
    if (is_first) {
        gather->first_thread = call->thread;
        gather->first = fth_order_here(gather->builder);
    }
    if (semantics->names) {
        fth_gather_name_uses(gather, thread, call);
        fth_gather_flags(gather, thread, access);
    }
    if (semantics->marked || semantics->marked_close || semantics->marked_by_name)
        fth_gather_marks(gather, thread, entry, call);
    fth_gather_opening(gather, fth_order_locked(gather->builder));
    if (semantics->begins_sync)
        fth_gather_sync_begins(gather, thread, call);
    if (access->kind != FTH_ACCESS_NONE)
        fth_gather_bytes(gather, thread, entry, access, accesses);
    if (access->second.file)
        fth_gather_second(gather, thread, access);
    if (semantics->has_blocks)
        fth_gather_blocks(gather, thread, access, accesses);
    if (access->operation_count)
        fth_gather_ends(gather, thread, access);
    if (semantics->maps && call->error_number <= 0)
        fth_gather_mapping(gather, thread, call);
    if (semantics->opens_stream && call->error_number <= 0) {
        fth_gather_mapped_stream(gather, thread, call);
        fth_gather_stream_opened(gather, call);
    }
    if (semantics->unprotects && call->error_number <= 0)
        fth_gather_unprotect(gather);
    if (semantics->forks && gather->wanted->semantics_table.unprotects)
        fth_gather_unprotect(gather); /* the child may do that */
    fth_gather_moves(gather, semantics, access);
    if (semantics->shares && call->error_number <= 0)
        fth_gather_sharing(gather, call);
    if (semantics->removes >= 0)
        fth_gather_removal(gather, thread, entry, call);
    if (semantics->names)
        fth_gather_names(gather, thread, access);
    fth_gather_closed(gather, call);
    return true;
}

static bool take_calls(struct fth_gathering *gather, struct fth_verify_progress *progress,
                       struct fth_error **error)
{
    enum { OFTEN = 1 << 12 };
    uint64_t taken = 0;
    struct fth_access access;
    struct fth_calls *calls = fth_calls_with_handles(gather->trace, gather->proc, error);
    if (!calls)
        return false;
    fth_calls_leave_handles(calls, "datatype");
    struct fth_accesses *accesses = fth_accesses_open(gather->trace, gather->proc, calls);
    int got;
    fth_accesses_without_selections(accesses);
    fth_order_follow(gather->builder, accesses);
    while ((got = fth_accesses_next(accesses, &access, error)) == 1) {
        if (++taken % OFTEN == 0 && progress)
            progress->read += OFTEN;
        if (progress && progress->given_up)
            got = fth_fail(error, "it was given up");
        if (got < 0)
            break;
        if (!take_call(gather, &access, accesses, error)) {
            got = -1;
            break;
        }
    }
    if (progress)
        progress->read += taken % OFTEN;
    if (got == 0)
        fth_gather_left_open(gather, calls);
    fth_order_follow(gather->builder, NULL);
    fth_accesses_close(accesses);
    fth_calls_close(calls);
    return got == 0;
}

static void end_threads(struct fth_gathering *gather)
{
    for (uint32_t i = 0; i < gather->thread_limit; i++) {
        struct fth_access_thread *thread = &gather->threads[i];
        while (thread->depth)
            leave(gather, thread);
    }
    struct fth_run_accesses *accesses = gather->accesses;
    if (accesses->last_call_count)
        accesses->last_calls[0].tick = ++gather->threads[gather->last_thread].tick;
    fth_gather_last_operations(gather);
    for (uint32_t i = 0; i < gather->thread_limit; i++)
        if (gather->threads[i].known)
            fth_gather_flush(gather->accesses, &gather->threads[i]);
}

static void free_threads(struct fth_gathering *gather)
{
    for (uint32_t i = 0; i < gather->thread_limit; i++) {
        for (size_t j = 0; j < gather->threads[i].room; j++)
            free(gather->threads[i].stack[j].access.pieces);
        free(gather->threads[i].stack);
        free(gather->threads[i].held.pieces);
    }
    free(gather->threads);
    free(gather->openings);
    free(gather->sizes);
    free(gather->last_intervals);
    free(gather->descriptor_counts);
    free(gather->at_descriptor);
    free(gather->held);
    free(gather->by_stream);
    free(gather->operations);
    free(gather->syncs);
}

bool fth_run_accesses_gather(struct fth_run_accesses *accesses, struct fth_trace *trace,
                             size_t proc, const struct fth_accesses_wanted *wanted,
                             struct fth_order *order, struct fth_verify_progress *progress,
                             struct fth_error **error)
{
    struct fth_gathering gather = {
        .accesses = accesses, .trace = trace, .proc = proc, .wanted = wanted};
    gather.builder = fth_order_feed(order, proc);
    bool done = take_calls(&gather, progress, error);
    end_threads(&gather);
    fth_gather_drop_unshared(&gather);
    fth_order_feed_end(gather.builder);
    free_threads(&gather);
    return done;
}
