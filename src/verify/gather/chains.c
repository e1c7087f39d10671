/* Threads of a process while its calls are read: who they are, which calls are open around one, and
 * where an access by one of these begins. */
#include "verify/gather/gather.h"

#include "base/memory.h"
#include "verify/gather/ownership.h"

#include <string.h>

uint32_t fth_gather_name(struct fth_run_accesses *accesses, const char *text)
{
    return fth_intern(&accesses->names, text, strlen(text) + 1);
}

uint32_t fth_gather_chain(struct fth_gathering *gather, struct fth_access_thread *thread,
                          size_t depth)
{
    struct fth_entry *entry = &thread->stack[depth];
    if (entry->chain != FTH_NO_CHAIN)
        return entry->chain;
    struct fth_chain chain = {
        .parent = depth ? fth_gather_chain(gather, thread, depth - 1) : FTH_NO_CHAIN,
        .depth = (uint32_t)depth,
        .function = entry->function,
        .source = entry->source ? fth_gather_name(gather->accesses, entry->source) : FTH_NO_CHAIN,
    };
    return entry->chain = fth_intern(&gather->accesses->chains, &chain, sizeof chain);
}

bool fth_gather_is_of_library(const struct fth_access_thread *thread, uint32_t depth, uint32_t name)
{
    for (uint32_t i = depth; i-- > 0;)
        if (thread->stack[i].semantics->of_mpi)
            return thread->stack[i].file != name + 1;
    return false;
}

bool fth_gather_is_left_out(const struct fth_gathering *gather,
                            const struct fth_access_thread *thread, uint32_t depth, uint32_t name)
{
    return fth_gather_is_of_library(thread, depth, name) ||
           fth_trace_process(gather->trace, gather->proc)->launcher;
}

/* By either of its names: MPI may have been given one that leads to the file. */
static bool is_of_library(const struct fth_gathering *gather,
                          const struct fth_access_thread *thread, uint32_t depth, uint32_t opening)
{
    const struct fth_opening *of = &gather->accesses->openings[opening];
    return fth_gather_is_left_out(gather, thread, depth, of->name) &&
           fth_gather_is_left_out(gather, thread, depth, of->asked);
}

struct fth_situation fth_gather_situation(struct fth_gathering *gather,
                                          struct fth_access_thread *thread,
                                          const struct fth_call *call, uint32_t opening, int layer)
{
    struct fth_moment here = fth_order_here(gather->builder);
    return (struct fth_situation){
        .proc = (uint32_t)gather->proc,
        .thread = call->thread,
        .opening = opening,
        .of_library = is_of_library(gather, thread, call->depth, opening),
        .chain = fth_gather_chain(gather, thread, call->depth),
        .begin = here,
        .end = here,
        .began = thread->tick,
        .layer = (uint8_t)layer,
        .carrier = FTH_NO_CALL,
        .interval = FTH_NO_INTERVAL,
        .start = call->start,
    };
}

struct fth_access_thread *fth_gather_thread(struct fth_gathering *gather, uint32_t number)
{
    gather->threads =
        fth_reach(gather->threads, &gather->thread_limit, number, sizeof *gather->threads);
    struct fth_access_thread *thread = &gather->threads[number];
    for (size_t i = 0; i < FTH_BUILDERS && !thread->known; i++)
        thread->builders[i].situation = FTH_NO_CHAIN;
    thread->known = true;
    return thread;
}
