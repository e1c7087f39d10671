/* A round is over where all that it opened is closed, and where the other files stand as they
 * did. */
#include "model/ranges/opening_rounds.h"

#include "model/calls/loops.h"

enum { NOT_OPEN = -2 /* beside positions, and FTH_NOWHERE */ };

void fth_opening_rounds_keep(struct fth_accesses *accesses)
{
    struct fth_loops *loops = accesses->turns->loops;
    const struct fth_access *access = accesses->access;
    const struct fth_range_semantics *semantics = fth_range_semantics_of(accesses, &access->call);
    if (!loops->kept)
        return;
    struct fth_loop_call *call = fth_loops_ago(loops, 1);
    struct fth_loop_access *kept = &call->access;
    /* the positions of a second file and of file pointers are not compared */
    call->notes.others |= semantics->handles.other >= 0 || semantics->is_mpi;
    *kept = (struct fth_loop_access){
        .kind = access->kind,
        .length = access->length,
        .file_class = semantics->handles.file >= 0 ? semantics->handles.file_class : -1,
        .file = fth_number_of(&access->call, semantics->handles.file)};
    if (access->kind == FTH_ACCESS_BYTES)
        kept->at = accesses->ranges.at;
}

static int64_t position_at(const struct fth_accesses *accesses,
                           const struct fth_loop_access *access)
{
    const struct fth_opened *opened = fth_followed_at(accesses, access->file_class, access->file);
    return opened ? opened->position : NOT_OPEN;
}

static bool goes_round(struct fth_accesses *accesses)
{
    struct fth_loops *loops = accesses->turns->loops;
    struct fth_loop_mark mark = {0};
    if (loops->goes_round)
        return true;
    if (!fth_loops_may_end(loops) || accesses->arrivals.count ||
        accesses->operations.in_flight_count || !fth_calls_mark(accesses->calls, &mark))
        return false;
    for (uint32_t i = 0; i < mark.period; i++)
        mark.positions[i] = position_at(accesses, &fth_loops_ago(loops, i + 1)->access);
    uint64_t handles = loops->mark.handles;
    if (!fth_loops_go_round(loops, &mark))
        return false;
    accesses->turns->rounds.handles = mark.handles - handles;
    accesses->turns->rounds.first_handle = handles;
    accesses->turns->rounds.before = loops->taken = 0;
    return true;
}

static struct fth_turn *turn_ago(const struct fth_accesses *accesses, uint32_t ago)
{
    return accesses->turns->sites[fth_loops_ago(accesses->turns->loops, ago)->site]->turn;
}

/* A call of the round was asked for one by one, or the round is. */
static bool is_refused(const struct fth_accesses *accesses)
{
    const struct fth_round_listener *listener = &accesses->round_listener;
    uint32_t period = accesses->turns->loops->repeats.period;
    for (uint32_t i = 1; i <= period; i++)
        if (turn_ago(accesses, i)->refused)
            return true;
    bool takes = !listener->takes || listener->takes(listener->context, period);
    turn_ago(accesses, 1)->refused = !takes;
    return !takes;
}

bool fth_opening_rounds_come(struct fth_accesses *accesses)
{
    return goes_round(accesses) && !is_refused(accesses) &&
           fth_calls_take_openings(accesses->calls);
}

void fth_accesses_know_openings(struct fth_accesses *accesses,
                                const struct fth_round_listener *listener)
{
    accesses->round_listener = *listener;
    fth_calls_know_loops(accesses->calls, fth_opening_functions(accesses));
}

const struct fth_rounds *fth_accesses_opened_again(const struct fth_accesses *accesses)
{
    return &accesses->turns->rounds;
}

bool fth_accesses_is_plain(const struct fth_accesses *accesses)
{
    const struct fth_turns *turns = accesses->turns;
    return turns && turns->plain[accesses->access->call.function - accesses->trace->functions];
}
