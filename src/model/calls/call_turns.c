/* Turns of a thread that come again, and rows and rounds behind them, as they are decoded
 * (turns.h). */
#include "model/calls/calls_state.h"

bool fth_calls_gather(struct fth_calls *calls, const struct fth_calls_thread *thread,
                      const struct fth_raw_call *raw)
{
    struct fth_turns *turns = calls->turns;
    turns->is_plain = turns->is_plain && turns->count < FTH_MOST_TURN &&
                      turns->plain[raw->signature->function] &&
                      !thread->reader.state.stood.is_reported &&
                      fth_present_is_plain(&calls->presenter, &thread->reader, raw);
    if (!turns->is_plain)
        return false;
    turns->numbers[turns->count] = raw->number;
    turns->depths[turns->count++] = raw->depth;
    return true;
}

void fth_calls_begin_turn(struct fth_turns *turns, bool is_plain)
{
    turns->is_plain = is_plain;
    turns->count = 0;
}

int64_t fth_calls_begin_of_others(const struct fth_calls *calls)
{
    int64_t begin = INT64_MAX;
    for (size_t i = 1; i < 3 && i < calls->queue_length; i++)
        if (calls->threads[calls->queue[i]].next_start < begin)
            begin = calls->threads[calls->queue[i]].next_start;
    return begin;
}

uint32_t fth_calls_put_times(const struct fth_calls *calls, const struct fth_calls_thread *thread,
                             const struct fth_timed *timed, uint32_t count,
                             struct fth_again_time *times, int64_t others)
{
    for (uint32_t i = 0; i < count; i++) {
        times[i].start = fth_model_time(calls->process, timed[i].entry * thread->reader.quantum);
        times[i].end = fth_model_time(calls->process, timed[i].exit * thread->reader.quantum);
        if (times[i].end >= others)
            return i;
    }
    return count;
}

/* Those that come right behind the turn, are of the same signature, and go on as it does: not one
 * of them has to be decoded. */
static void take_row(struct fth_calls *calls, struct fth_calls_thread *thread, int64_t others)
{
    struct fth_rounds *rounds = &calls->turns->rounds;
    struct fth_timed timed[FTH_MOST_BEHIND];
    uint32_t count = fth_thread_reader_foresee(&thread->reader, thread->raw, timed, FTH_MOST_BEHIND,
                                               &rounds->places->step);
    rounds->period = 1;
    rounds->sites[0] = calls->turns->turn->first_site;
    rounds->count = fth_calls_put_times(calls, thread, timed, count, rounds->times, others);
    rounds->in_a_row = rounds->count > 0;
    if (rounds->in_a_row)
        fth_thread_reader_take(&thread->reader, thread->raw, timed, rounds->count,
                               rounds->places->step);
}

/* The next call is decoded. If it has another signature and is the same access elsewhere, those
 * behind it may go on as it does from the turn: a row after a jump. */
static void take_row_behind_jump(struct fth_calls *calls, struct fth_calls_thread *thread,
                                 int64_t others)
{
    struct fth_thread_reader *reader = &thread->reader;
    struct fth_rounds *rounds = &calls->turns->rounds;
    struct fth_timed timed[FTH_MOST_BEHIND - 1];
    const struct fth_raw_call *ahead = &thread->ahead;
    int64_t step;
    thread->ahead_status = fth_thread_reader_next(reader, &thread->ahead, &thread->ahead_error);
    thread->is_ahead = true;
    if (thread->ahead_status <= 0 || reader->start_count || reader->state.stood.is_reported ||
        ahead->depth ||
        !fth_rounds_lead(calls->turns, thread->raw, ahead, reader->state.version, &step))
        return;
    rounds->times[0] = (struct fth_again_time){fth_model_time(calls->process, ahead->entry),
                                               fth_model_time(calls->process, ahead->exit)};
    if (rounds->times[0].end >= others)
        return;
    uint32_t count =
        fth_thread_reader_foresee(reader, ahead, timed, FTH_MOST_BEHIND - 1, &rounds->places->step);
    if (!count || rounds->places->step != step)
        return;
    rounds->period = 1;
    rounds->count = 1 + fth_calls_put_times(calls, thread, timed, count, rounds->times + 1, others);
    rounds->in_a_row = true;
    thread->is_ahead = false;
    if (rounds->count > 1)
        fth_thread_reader_take(reader, ahead, timed, rounds->count - 1, step);
}

/* When some rounds have been decoded, those behind them that the grammar foresees need not be. */
static void take_rounds_ahead(struct fth_calls *calls, struct fth_calls_thread *thread,
                              int64_t others, const struct fth_round_standing standings[2])
{
    struct fth_rounds *rounds = &calls->turns->rounds;
    struct fth_timed timed[FTH_MOST_BEHIND];
    struct fth_read_round round;
    if (!fth_rounds_read(calls->turns, &round))
        return;
    uint32_t count = fth_thread_reader_foresee_rounds(&thread->reader, &round, timed,
                                                      FTH_MOST_BEHIND - rounds->count);
    count = fth_calls_put_times(calls, thread, timed, count * round.count,
                                rounds->times + rounds->count, others) /
            round.count;
    if (!count ||
        !fth_rounds_go_on(calls->turns, &thread->reader.state, &standings[0], &standings[1], count))
        return;
    fth_thread_reader_take_rounds(&thread->reader, &round, timed, count);
    rounds->count += count * round.count;
    rounds->round += count;
}

enum { DECODED = 2 }; /* rounds whose steps are known, before those that need not be decoded */

/* Calls are decoded as long as they go on in rounds, and one more. */
static void take_rounds(struct fth_calls *calls, struct fth_calls_thread *thread, int64_t others)
{
    struct fth_thread_reader *reader = &thread->reader;
    const struct fth_raw_call *ahead = &thread->ahead;
    struct fth_rounds *rounds = &calls->turns->rounds;
    struct fth_round_standing standings[2];
    while (rounds->count < FTH_MOST_BEHIND) {
        if (!rounds->at && (rounds->round == DECODED || rounds->round == DECODED + 1))
            fth_rounds_note_standing(calls->turns, &reader->state,
                                     &standings[rounds->round - DECODED]);
        if (!rounds->at && rounds->round == DECODED + 1)
            take_rounds_ahead(calls, thread, others, standings);
        if (rounds->count == FTH_MOST_BEHIND)
            break;
        thread->ahead_status = fth_thread_reader_next(reader, &thread->ahead, &thread->ahead_error);
        thread->is_ahead =
            thread->ahead_status <= 0 || reader->start_count || reader->state.stood.is_reported;
        if (thread->is_ahead)
            return;
        const struct fth_again_time time = {fth_model_time(calls->process, ahead->entry),
                                            fth_model_time(calls->process, ahead->exit)};
        thread->is_ahead = time.end >= others ||
                           !fth_rounds_take(calls->turns, ahead, reader->state.version, time);
        if (thread->is_ahead)
            return;
    }
}

void fth_calls_rounds(struct fth_calls *calls)
{
    struct fth_turns *turns = calls->turns;
    struct fth_rounds *rounds = &turns->rounds;
    struct fth_calls_thread *thread = &calls->threads[calls->queue[0]];
    enum fth_site_way way = turns->sites[turns->turn->first_site]->way;
    int64_t others = fth_calls_begin_of_others(calls);
    bool repeats = fth_rounds_begin(turns, thread->next_number);
    if ((way == FTH_SITE_PLACED || way == FTH_SITE_AT_POSITION) && !(repeats && rounds->period > 1))
        take_row(calls, thread, others);
    if (!rounds->count && repeats)
        take_rounds(calls, thread, others);
    else if (!rounds->count && way == FTH_SITE_PLACED)
        take_row_behind_jump(calls, thread, others);
    if (!rounds->count)
        return;
    fth_rounds_end(turns);
    fth_loops_break(turns->loops);
    thread->next_number += rounds->count;
    thread->next_start = rounds->times[rounds->count - 1].end;
}

bool fth_calls_comes_again(struct fth_calls *calls, struct fth_calls_thread *thread)
{
    int64_t end = fth_model_time(calls->process, thread->raw[thread->raw_kept - 1].exit);
    struct fth_turns *turns = calls->turns;
    const struct fth_turn *turn =
        fth_turns_find(turns, turns->numbers, turns->count, thread->reader.state.version);
    size_t index = (size_t)(thread - calls->threads);
    if (!turn || !fth_turn_fits(turn, thread->raw) || end >= fth_calls_begin_of_others(calls) ||
        (turns->loops && turn->count == 1 && fth_loops_expect(turns->loops, index, thread->raw)))
        return false;
    turns->turn = turn;
    turns->raw = thread->raw;
    turns->reader = &thread->reader;
    turns->arena = &thread->arena;
    turns->first_number = thread->next_number;
    thread->next_number += turn->count;
    thread->next_start = end;
    thread->raw_kept = 0;
    if (turn->count == 1)
        fth_rounds_follow(turns, turn->first_site);
    else
        fth_rounds_break(turns);
    if (turns->loops && turn->count == 1)
        fth_loops_follow(turns->loops, index, thread->raw, true, true);
    else
        fth_loops_break(turns->loops);
    return true;
}

void fth_calls_note_turn(struct fth_calls *calls, struct fth_calls_thread *thread)
{
    struct fth_turns *turns = calls->turns;
    int64_t parents[FTH_MOST_TURN] = {-1};
    if (!turns->is_plain || !turns->count || turns->depths[turns->count - 1])
        return;
    for (uint32_t i = 0; i < thread->inner.count; i++)
        parents[i] = fth_entry_order_parent(&thread->inner, i);
    thread->noted = fth_turns_note(turns, turns->numbers, turns->depths, turns->count,
                                   thread->reader.state.version, parents);
}

void fth_calls_set_site(struct fth_turns *turns, const struct fth_calls_thread *thread,
                        size_t function, size_t place)
{
    turns->given = thread->noted ? thread->noted->first_site + (uint32_t)place : FTH_NO_SITE;
    fth_rounds_break(turns);
    if (!turns->plain[function])
        turns->generation++;
}

void fth_calls_know_turns(struct fth_calls *calls, bool *plain)
{
    calls->turns = fth_turns_new(plain);
}

struct fth_turns *fth_calls_turns(struct fth_calls *calls)
{
    return calls->turns;
}

void fth_calls_again(struct fth_calls *calls, uint32_t entry)
{
    struct fth_turns *turns = calls->turns;
    struct fth_call *call = &turns->sites[turns->turn->first_site + entry]->access.call;
    fth_present_again(&calls->presenter, turns->reader, turns->arena,
                      &turns->raw[turns->turn->exits[entry]], call);
    call->number = turns->first_number + entry;
}
