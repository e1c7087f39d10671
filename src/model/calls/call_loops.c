/* Loops of calls that do not come again by themselves, as they are decoded (loops.h). */
#include "model/calls/calls_state.h"

void fth_calls_know_loops(struct fth_calls *calls, enum fth_opening_role *openings)
{
    calls->turns->loops = fth_loops_new(openings);
}

/* Is it a turn that somebody wants call by call? */
static bool is_refused(const struct fth_turns *turns, uint32_t number)
{
    const struct fth_turn *turn = number < turns->alone_limit ? turns->alone[number] : NULL;
    return turn && turn->refused && turn->generation == turns->generation;
}

bool fth_calls_keep_for_loops(struct fth_calls *calls, struct fth_calls_thread *thread)
{
    struct fth_turns *turns = calls->turns;
    const struct fth_raw_call *raw = thread->raw;
    bool plain = turns->plain[raw->signature->function];
    bool by_itself = plain && !is_refused(turns, raw->number);
    struct fth_loop_call *kept =
        fth_loops_follow(turns->loops, (size_t)(thread - calls->threads), raw, plain, by_itself);
    if (!kept)
        return false;
    thread->noted = fth_turns_note_place(turns, raw->number, fth_loops_place(turns->loops),
                                         thread->reader.state.version);
    kept->notes = thread->reader.notes;
    kept->notes.others |= thread->reader.state.stood.is_reported ||
                          thread->reader.state.contents.bytes || thread->starts.open_count;
    kept->raw = *raw;
    kept->site = thread->noted ? thread->noted->first_site : FTH_NO_SITE;
    kept->access = (struct fth_loop_access){.file_class = -1, .file = -1};
    return true;
}

bool fth_calls_mark(struct fth_calls *calls, struct fth_loop_mark *mark)
{
    struct fth_loops *loops = calls->turns->loops;
    struct fth_calls_thread *thread = &calls->threads[loops->thread];
    if (!calls->queue_length || calls->queue[0] != loops->thread || thread->alone ||
        thread->again || thread->is_ahead || thread->ended || calls->chosen ||
        fth_entry_order_has_next(&thread->inner))
        return false;
    mark->at = loops->repeats.count;
    mark->period = loops->repeats.period;
    fth_handle_tree_count(calls->handles, &mark->handles, &mark->ended, &mark->first_ended);
    for (uint32_t i = 0; i < mark->period; i++) {
        const struct fth_raw_call *raw = &fth_loops_ago(loops, i + 1)->raw;
        int32_t slot = fth_slot_of_cursor(raw->meaning, raw->values);
        const struct fth_cursor_state *cursor =
            slot < 0
                ? NULL
                : fth_state_cursor(&thread->reader.state, raw->meaning->about.handle_class, slot);
        mark->cursors[i] = cursor ? *cursor : (struct fth_cursor_state){0};
    }
    return true;
}

/* So many rounds that end before others come. */
static uint32_t put_round_times(const struct fth_calls *calls,
                                const struct fth_calls_thread *thread,
                                const struct fth_read_round *round, const struct fth_timed *timed,
                                uint32_t count)
{
    struct fth_rounds *rounds = &calls->turns->rounds;
    struct fth_loops *loops = calls->turns->loops;
    int64_t others = fth_calls_begin_of_others(calls);
    bool shown[FTH_MOST_IN_TURN] = {false};
    for (uint32_t ago = rounds->period, at = 0; ago; ago--) {
        at += fth_loops_ago(loops, ago)->notes.count;
        shown[at++] = true;
    }
    rounds->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before = rounds->count;
        for (uint32_t k = 0; k < round->count; k++) {
            if (shown[k])
                fth_calls_put_times(calls, thread, &timed[i * round->count + k], 1,
                                    &rounds->times[rounds->count++], INT64_MAX);
        }
        if (rounds->times[rounds->count - 1].end >= others) {
            rounds->count = before;
            return i;
        }
    }
    return count;
}

bool fth_calls_take_openings(struct fth_calls *calls)
{
    struct fth_loops *loops = calls->turns->loops;
    struct fth_rounds *rounds = &calls->turns->rounds;
    struct fth_calls_thread *thread = &calls->threads[loops->thread];
    struct fth_timed timed[FTH_MOST_BEHIND];
    struct fth_read_round round;
    rounds->count = 0;
    rounds->period = loops->repeats.period;
    rounds->in_a_row = false;
    rounds->stays = true;
    if (!fth_loops_read_round(loops, &round))
        return false;
    uint32_t count =
        fth_thread_reader_foresee_rounds(&thread->reader, &round, timed, FTH_MOST_BEHIND);
    count = put_round_times(calls, thread, &round, timed, count);
    if (!count)
        return false;
    fth_thread_reader_take_rounds(&thread->reader, &round, timed, count);
    for (uint32_t i = 0; i < rounds->period; i++) {
        rounds->sites[i] = fth_loops_ago(loops, rounds->period - i)->site;
        rounds->places[i] = (struct fth_round_place){0}; /* steps */
    }
    rounds->before = loops->taken;
    loops->taken += count;
    fth_handle_tree_skip(calls->handles, count * rounds->handles);
    loops->mark.handles += count * rounds->handles;
    loops->mark.ended += count * rounds->handles;
    rounds->first_number = thread->next_number;
    thread->next_number += rounds->count;
    thread->next_start = rounds->times[rounds->count - 1].end;
    return true;
}
