/* One process: the uses of positions, one for each thread and moment. */
#include "verify/gather/gather.h"

#include "base/memory.h"

/* Threads that take turns with nothing between them that orders them are found again in their last
 * uses, however often they do. */
enum { THREADS_IN_TURNS = 32 };

static struct fth_position_use *use_of(struct fth_run_accesses *accesses, uint32_t thread,
                                       uint32_t opening, struct fth_moment moment)
{
    size_t count = accesses->position_use_count;
    for (size_t i = 0; i < count && i < THREADS_IN_TURNS; i++) {
        struct fth_position_use *use = &accesses->position_uses[count - 1 - i];
        if (use->thread == thread && use->opening == opening && use->moment.step == moment.step)
            return use;
    }
    FTH_GROW(accesses->position_uses, accesses->position_use_count);
    accesses->position_uses[count] =
        (struct fth_position_use){.thread = thread, .opening = opening, .moment = moment};
    return &accesses->position_uses[accesses->position_use_count++];
}

void fth_gather_position_use(struct fth_gathering *gather, const struct fth_access *access,
                             uint32_t opening, const struct fth_handle *handle, bool seeks)
{
    const struct fth_call *call = &access->call;
    struct fth_access_thread *thread = fth_gather_thread(gather, call->thread);
    uint32_t name = gather->accesses->openings[opening].name;
    if (fth_gather_is_left_out(gather, thread, call->depth, name))
        return;
    struct fth_position_use *use =
        use_of(gather->accesses, call->thread, opening, fth_order_here(gather->builder));
    struct fth_position_call *calls = seeks ? &use->seeks : &use->accesses;
    use->proc = (uint32_t)gather->proc;
    use->by_stream |= handle && handle->origin == FTH_HANDLE_INSIDE && handle->parent &&
                      handle->parent->origin == FTH_HANDLE_THERE;
    use->may_be_shared |=
        access->may_have_moved || use->by_stream || (handle && handle->origin == FTH_HANDLE_THERE);
    if (calls->times++)
        return;
    calls->call = call->number;
    calls->chain = fth_gather_chain(gather, thread, call->depth);
    calls->writes = call->writes;
    calls->start = call->start;
    calls->end = call->end;
}

void fth_gather_drop_unshared(struct fth_gathering *gather)
{
    struct fth_run_accesses *accesses = gather->accesses;
    struct owner {
        bool known, shared;
        uint32_t thread;
    } *owners = fth_new(accesses->opening_count + 1, sizeof *owners);
    for (size_t i = 0; i < accesses->position_use_count; i++) {
        const struct fth_position_use *use = &accesses->position_uses[i];
        struct owner *owner = &owners[use->opening];
        owner->shared |= use->may_be_shared || (owner->known && owner->thread != use->thread);
        owner->known = true;
        owner->thread = use->thread;
    }
    size_t kept = 0;
    for (size_t i = 0; i < accesses->position_use_count; i++)
        if (owners[accesses->position_uses[i].opening].shared)
            accesses->position_uses[kept++] = accesses->position_uses[i];
    accesses->position_use_count = kept;
    free(owners);
}
