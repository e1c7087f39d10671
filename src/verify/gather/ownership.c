/* One process: what its calls do to the positions of descriptors. */
#include "verify/gather/gather.h"

#include "base/memory.h"

#include <string.h>

/* The last interval of an opening, or NULL. */
static struct fth_ownership_interval *last_of(struct fth_gathering *gather, uint32_t opening)
{
    gather->last_intervals = fth_reach(gather->last_intervals, &gather->last_interval_limit,
                                       opening, sizeof *gather->last_intervals);
    uint32_t number = gather->last_intervals[opening];
    return number ? &gather->accesses->intervals[number - 1] : NULL;
}

/* Others may have the descriptor only if it was there, or the process has made others since it
 * opened it. */
static bool goes_on(const struct fth_ownership_interval *last, const struct fth_access *access,
                    struct fth_moment here)
{
    if (!last || last->may_have_moved != access->may_have_moved)
        return false;
    if (!last->inherited && !last->may_have_moved)
        return true;
    return last->thread == access->call.thread && last->end.step == here.step;
}

static struct fth_ownership_interval *interval_of(struct fth_gathering *gather,
                                                  const struct fth_access *access, uint32_t opening,
                                                  const struct fth_handle *handle)
{
    struct fth_run_accesses *accesses = gather->accesses;
    const struct fth_call *call = &access->call;
    struct fth_moment here = fth_order_here(gather->builder);
    struct fth_ownership_interval *last = last_of(gather, opening);
    if (!goes_on(last, access, here)) {
        FTH_GROW(accesses->intervals, accesses->interval_count);
        last = &accesses->intervals[accesses->interval_count++];
        *last = (struct fth_ownership_interval){.proc = (uint32_t)gather->proc,
                                                .thread = call->thread,
                                                .opening = opening,
                                                .begin = here,
                                                .first_call = call->number,
                                                .start = call->start,
                                                .inherited =
                                                    handle && handle->origin == FTH_HANDLE_THERE,
                                                .may_have_moved = access->may_have_moved,
                                                .in_turns = true};
        gather->last_intervals[opening] = (uint32_t)accesses->interval_count;
    }
    last->by_threads |= last->thread != call->thread;
    last->end = here;
    last->last_call = call->number;
    return last;
}

static void move(struct fth_ownership_interval *interval, uint64_t length)
{
    if (length > INT64_MAX ||
        __builtin_add_overflow(interval->left, (int64_t)length, &interval->left))
        interval->lost = true;
}

uint32_t fth_gather_interval(struct fth_gathering *gather, const struct fth_access *access,
                             struct fth_moving *moving)
{
    size_t count = gather->accesses->interval_count;
    struct fth_ownership_interval *interval =
        interval_of(gather, access, moving->opening, moving->handle);
    if (gather->accesses->interval_count > count && moving->known) {
        interval->own_is_known = true;
        interval->own = moving->at;
    }
    if (moving->recorded) {
        interval->placed = true;
        interval->lost = false;
        interval->left = moving->at;
    }
    moving->placed = interval->placed;
    moving->at = interval->placed ? interval->left : interval->own + interval->left;
    interval->lost |= moving->appends;
    if (!moving->appends)
        fth_gather_position_use(gather, access, moving->opening, moving->handle, false);
    interval->in_turns &= !access->second.file; /* as copy_file_range is not */
    move(interval, moving->length);
    return (uint32_t)(interval - gather->accesses->intervals);
}

/* ---- what moves without an access of its own ---- */

/* To ask where a descriptor stands moves nothing. */
static bool only_asks(const struct fth_call *call)
{
    bool from_there = false, no_distance = false;
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const char *role = call->function->parameters[i].role, *text = call->arguments[i].text;
        from_there |= strcmp(role, "whence") == 0 && text && strstr(text, "_CUR");
        no_distance |= strcmp(role, "distance") == 0 && call->arguments[i].integer == 0;
    }
    return from_there && no_distance;
}

static void take_seek(struct fth_gathering *gather, const struct fth_access *access)
{
    uint32_t opening = fth_gather_opening(gather, access->call.handle);
    if (opening == FTH_NO_OPENING || only_asks(&access->call))
        return;
    struct fth_ownership_interval *interval =
        interval_of(gather, access, opening, access->call.handle);
    fth_gather_position_use(gather, access, opening, access->call.handle, true);
    interval->in_turns = false;
    interval->placed = true;
    interval->lost = false;
    interval->left = access->position;
}

/* Descriptors come and go: what a child finds open was not closed before. */
static void take_life(struct fth_gathering *gather, const struct fth_call *call,
                      const struct fth_handle_use *use)
{
    uint32_t opening = fth_gather_opening(gather, use->handle);
    if (opening == FTH_NO_OPENING)
        return;
    gather->descriptor_counts = fth_reach(gather->descriptor_counts, &gather->live_limit, opening,
                                          sizeof *gather->descriptor_counts);
    if (use->kind == FTH_HANDLE_CLOSED && --gather->descriptor_counts[opening] < 0)
        gather->accesses->openings[opening].closed = call->start;
    else if (use->kind == FTH_HANDLE_OPENED && use->handle->duplicate)
        gather->descriptor_counts[opening]++;
}

/* fork and its kin return the number of who was made. */
static void take_birth(struct fth_gathering *gather, const struct fth_call *call)
{
    struct fth_run_accesses *accesses = gather->accesses;
    if (call->result.type != FTH_VALUE_INTEGER || call->result.integer <= 0)
        return;
    FTH_GROW(accesses->births, accesses->birth_count);
    accesses->births[accesses->birth_count++] = (struct fth_birth){
        .proc = (uint32_t)gather->proc, .pid = call->result.integer, .time = call->start};
}

void fth_gather_moves(struct fth_gathering *gather, const struct fth_verify_semantics *semantics,
                      const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    if (semantics->forks)
        take_birth(gather, call);
    if (call->error_number > 0 || !semantics->of_system)
        return;
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind != FTH_HANDLE_USED)
            take_life(gather, call, &call->uses[i]);
    uint32_t opening =
        access->changes_appending ? fth_gather_opening(gather, call->handle) : FTH_NO_OPENING;
    if (opening != FTH_NO_OPENING)
        gather->accesses->openings[opening].changes_appending = true;
    if (semantics->seeks && access->position >= 0)
        take_seek(gather, access);
}
