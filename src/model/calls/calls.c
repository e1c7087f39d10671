/* Calls of a process in order of entry: those of each thread are put into that order
 * (entry_order.c), and threads are merged by time. */
#include "model/calls/chosen.h"
#include "model/calls/control_blocks.h"
#include "model/calls/completed.h"
#include "model/calls/entry_order.h"
#include "model/handles/handle_tree.h"
#include "model/calls/seek.h"
#include "model/calls/loops.h"

#include "base/memory.h"

#include <inttypes.h>

enum {
    MOST_WAITING = 1 << 20, /* calls inside a call; when there are more, they go out without it */
};

struct thread {
    const struct fth_stretch *stretches;
    size_t stretch_count;
    int64_t next_start; /* of its next call, or a time before that */
    bool open, ended;   /* being read; all read */
    struct fth_thread_reader reader;
    /* decoded: calls of a turn that may come again, which are shown when it does not, and behind
     * them the last one */
    struct fth_raw_call *raw;
    uint32_t raw_kept, raw_limit;
    /* decoded ahead: the reader's state is that of this call already */
    bool is_ahead;
    int ahead_status;
    struct fth_raw_call ahead;
    struct fth_error *ahead_error;
    bool again;                   /* the turn does, and is given as a whole */
    const struct fth_turn *noted; /* the turn that is given call by call, and will be known then */
    bool alone; /* it is in no other, and no other in it: it goes out as it is, nothing waits */
    struct fth_entry_order inner; /* those that wait */
    struct fth_arena arena;       /* what the values of one that goes out alone point to */
    uint64_t next_number;
    struct fth_thread_starts starts;
    bool starter_is_known; /* of the thread itself */
    struct fth_starter starter;
};

struct fth_calls {
    struct fth_trace *trace;
    size_t proc;
    struct fth_presenter presenter;
    const struct fth_model_process *process;
    struct fth_process_names names;
    struct fth_share *shares;
    size_t share_count;
    struct fth_stretch *stretches;
    struct thread *threads;
    size_t thread_count;
    int64_t from; /* what ended before it is left out; INT64_MIN: nothing */
    struct fth_seeker seeker;
    struct fth_turns *turns;          /* NULL: nobody asked for them */
    struct fth_handle_tree *handles;  /* NULL: nobody asked for them */
    struct fth_completed *completed;  /* NULL: bytes are those asked for */
    struct fth_control_blocks blocks; /* of the call that was given last */
    struct fth_chosen *chosen;        /* NULL: all are wanted */
    uint64_t left_out;                /* calls */
    struct fth_starts starts;
    bool has_starts;
    struct fth_calls *past; /* who started threads before `from`; NULL: nobody has asked */
    /* threads that have calls left: a heap, the one with the earliest call first */
    uint32_t *queue;
    size_t queue_length;
};

/* ---- turns that come again ---- */

/* Is a call that was shown before, or has just been, one of those that leave everything as it is?
 * Then it is added to the turn that is being gathered. */
static bool gather(struct fth_calls *calls, const struct thread *thread,
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

static void begin_turn(struct fth_turns *turns, bool is_plain)
{
    turns->is_plain = is_plain;
    turns->count = 0;
}

/* Nothing that other threads do may come in between: calls that end before this. */
static int64_t begin_of_others(const struct fth_calls *calls)
{
    int64_t begin = INT64_MAX;
    for (size_t i = 1; i < 3 && i < calls->queue_length; i++)
        if (calls->threads[calls->queue[i]].next_start < begin)
            begin = calls->threads[calls->queue[i]].next_start;
    return begin;
}

/* As long as they end before `others`; how many that are. */
static uint32_t put_times(const struct fth_calls *calls, const struct thread *thread,
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
static void take_row(struct fth_calls *calls, struct thread *thread, int64_t others)
{
    struct fth_rounds *rounds = &calls->turns->rounds;
    struct fth_timed timed[FTH_MOST_BEHIND];
    uint32_t count = fth_thread_reader_foresee(&thread->reader, thread->raw, timed, FTH_MOST_BEHIND,
                                               &rounds->places->step);
    rounds->period = 1;
    rounds->sites[0] = calls->turns->turn->first_site;
    rounds->count = put_times(calls, thread, timed, count, rounds->times, others);
    rounds->in_a_row = rounds->count > 0;
    if (rounds->in_a_row)
        fth_thread_reader_take(&thread->reader, thread->raw, timed, rounds->count,
                               rounds->places->step);
}

/* The next call is decoded. If it has another signature and is the same access elsewhere, those
 * behind it may go on as it does from the turn: a row after a jump. */
static void take_row_behind_jump(struct fth_calls *calls, struct thread *thread, int64_t others)
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
    rounds->count = 1 + put_times(calls, thread, timed, count, rounds->times + 1, others);
    rounds->in_a_row = true;
    thread->is_ahead = false;
    if (rounds->count > 1)
        fth_thread_reader_take(reader, ahead, timed, rounds->count - 1, step);
}

/* Calls are decoded as long as they go on in rounds, and one more. */
static void take_rounds(struct fth_calls *calls, struct thread *thread, int64_t others)
{
    struct fth_thread_reader *reader = &thread->reader;
    const struct fth_raw_call *ahead = &thread->ahead;
    while (calls->turns->rounds.count < FTH_MOST_BEHIND) {
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
    struct thread *thread = &calls->threads[calls->queue[0]];
    enum fth_site_way way = turns->sites[turns->turn->first_site]->way;
    int64_t others = begin_of_others(calls);
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

/* The kept calls are a whole turn. If it came before, it is given as a whole. */
static bool comes_again(struct fth_calls *calls, struct thread *thread)
{
    int64_t end = fth_model_time(calls->process, thread->raw[thread->raw_kept - 1].exit);
    struct fth_turns *turns = calls->turns;
    const struct fth_turn *turn =
        fth_turns_find(turns, turns->numbers, turns->count, thread->reader.state.version);
    size_t index = (size_t)(thread - calls->threads);
    if (!turn || !fth_turn_fits(turn, thread->raw) || end >= begin_of_others(calls) ||
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
        fth_loops_follow(turns->loops, index, thread->raw, true);
    else
        fth_loops_break(turns->loops);
    return true;
}

/* The turn that was gathered goes out call by call: it will be known when it comes again. */
static void note_turn(struct fth_calls *calls, struct thread *thread)
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

/* Of a call of this function that is given, at this place of its turn. */
static void set_site(struct fth_turns *turns, const struct thread *thread, size_t function,
                     size_t place)
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

/* ---- loops that open files ---- */

void fth_calls_know_loops(struct fth_calls *calls, enum fth_opening_role *openings)
{
    calls->turns->loops = fth_loops_new(openings);
}

/* A call that goes out alone and on with a loop is kept, and is the site of a place of the loop's
 * rounds. */
static bool keep_for_loops(struct fth_calls *calls, struct thread *thread)
{
    struct fth_turns *turns = calls->turns;
    const struct fth_raw_call *raw = thread->raw;
    bool plain = turns->plain[raw->signature->function];
    struct fth_loop_call *kept =
        fth_loops_follow(turns->loops, (size_t)(thread - calls->threads), raw, plain);
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
    struct thread *thread = &calls->threads[loops->thread];
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
static uint32_t put_round_times(const struct fth_calls *calls, const struct thread *thread,
                                const struct fth_read_round *round, const struct fth_timed *timed,
                                uint32_t count)
{
    struct fth_rounds *rounds = &calls->turns->rounds;
    struct fth_loops *loops = calls->turns->loops;
    int64_t others = begin_of_others(calls);
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
                put_times(calls, thread, &timed[i * round->count + k], 1,
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
    struct thread *thread = &calls->threads[loops->thread];
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

/* ---- calls of a thread ---- */

/* The turn of these calls does not come again: they wait for the call around them. */
static void take_kept(struct fth_calls *calls, struct thread *thread)
{
    calls->presenter.late = true;
    for (uint32_t i = 0; i < thread->raw_kept; i++)
        fth_entry_order_take(&thread->inner, &calls->presenter, &thread->reader, &thread->raw[i],
                             &thread->starts);
    calls->presenter.late = false;
    thread->raw_kept = 0;
}

/* Is it not wanted, nor needed for others? */
static bool is_left_out(struct fth_calls *calls, struct thread *thread,
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
static bool take_alone(struct fth_calls *calls, struct thread *thread,
                       const struct fth_raw_call *raw)
{
    thread->raw_kept = 0;
    thread->alone = !is_left_out(calls, thread, raw);
    thread->next_number += !thread->alone;
    return thread->alone;
}

/* A call was decoded, behind those that are kept. Returns whether calls are ready to go out: it is
 * in no other. */
static bool take_call(struct fth_calls *calls, struct thread *thread, bool *keeps)
{
    const struct fth_raw_call *raw = &thread->raw[thread->raw_kept];
    bool is_outermost = raw->depth == 0, is_first = !thread->inner.count && !thread->raw_kept;
    *keeps = *keeps && gather(calls, thread, raw);
    if (*keeps) {
        thread->raw_kept++;
        thread->again = is_outermost && comes_again(calls, thread);
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
            gather(calls, thread, raw);
    }
    return is_outermost;
}

/* The next call, which may have been decoded. */
static int decode(struct thread *thread, struct fth_raw_call *call, struct fth_error **error)
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
static int pass_unwanted(struct fth_calls *calls, struct thread *thread, struct fth_error **error)
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

/* Decodes until calls are ready to go out: a call that is in no other has come, or the thread's
 * calls are over. */
static int fill(struct fth_calls *calls, struct thread *thread, struct fth_error **error)
{
    struct fth_entry_order *inner = &thread->inner;
    bool keeps = calls->turns && !thread->starts.open_count;
    if (inner->count)
        fth_entry_order_empty(inner);
    if (thread->arena.used)
        fth_arena_reset(&thread->arena);
    thread->noted = NULL;
    if (calls->turns)
        begin_turn(calls->turns, keeps);
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
        note_turn(calls, thread);
    return 0;
}

/* ---- threads by time ---- */

static bool is_before(const struct fth_calls *calls, uint32_t one, uint32_t other)
{
    int64_t left = calls->threads[one].next_start, right = calls->threads[other].next_start;
    return left != right ? left < right : one < other;
}

/* The first thread's next call has become later: it sinks to where it belongs. */
static void sink_first(struct fth_calls *calls)
{
    uint32_t *queue = calls->queue, sinking = queue[0];
    size_t at = 0;
    for (size_t below; (below = 2 * at + 1) < calls->queue_length; at = below) {
        if (below + 1 < calls->queue_length && is_before(calls, queue[below + 1], queue[below]))
            below++;
        if (!is_before(calls, queue[below], sinking))
            break;
        queue[at] = queue[below];
    }
    queue[at] = sinking;
}

static void close_thread(struct thread *thread)
{
    if (thread->open)
        fth_thread_reader_close(&thread->reader);
    fth_entry_order_free(&thread->inner);
    fth_arena_free(&thread->arena);
    fth_thread_starts_free(&thread->starts);
    free(thread->raw);
    fth_error_free(thread->ahead_error);
    thread->raw = NULL;
    thread->ahead_error = NULL;
    thread->open = false;
}

static void leave_queue(struct fth_calls *calls)
{
    close_thread(&calls->threads[calls->queue[0]]);
    calls->queue[0] = calls->queue[--calls->queue_length];
    if (calls->queue_length)
        sink_first(calls);
}

/* ---- doors ---- */

/* Tracks are in order within their thread already: in that of the shares and of their place. */
static int by_thread(const void *one, const void *other)
{
    const struct fth_stretch *a = one, *b = other;
    if (a->track->thread != b->track->thread)
        return a->track->thread < b->track->thread ? -1 : 1;
    return a->share != b->share  ? (a->share < b->share ? -1 : 1)
           : a->track < b->track ? -1
                                 : a->track > b->track;
}

/* Puts the process's shares together. */
static int read_shares(struct fth_calls *calls, struct fth_error **error)
{
    uint32_t signatures = 0;
    size_t common = 0;
    calls->shares = fth_new(calls->process->share_count, sizeof *calls->shares);
    for (size_t i = 0; i < calls->process->share_count; i++) {
        const struct fth_model_share *from = &calls->process->shares[i];
        struct fth_share *share = &calls->shares[i];
        if (fth_stored_part_process(from->part, from->index, &share->stored, error))
            return -1;
        calls->share_count++;
        for (size_t k = 0; k < share->stored.track_count; k++)
            share->stored.tracks[k].thread =
                fth_model_thread(calls->process, share->stored.tracks[k].thread);
        share->part = from->part;
        share->templates = fth_new(from->part->strings.count, sizeof *share->templates);
        share->first_signature = signatures;
        share->first_common = common;
        calls->has_starts = calls->has_starts || fth_share_has_starts(share);
        signatures += share->stored.signature_count;
        common += from->part->signatures.count;
    }
    fth_process_names_init(&calls->names);
    fth_presenter_open(&calls->presenter, calls->trace, calls->proc, signatures, common,
                       &calls->names);
    if (calls->from != INT64_MIN)
        fth_seeker_open(&calls->seeker, calls->trace, calls->process, &calls->names, calls->shares,
                        calls->share_count);
    return 0;
}

static size_t list_stretches(struct fth_calls *calls)
{
    size_t count = 0;
    for (size_t i = 0; i < calls->share_count; i++) {
        struct fth_share *share = &calls->shares[i];
        const uint8_t *frames = share->part->processes[calls->process->shares[i].index].frames;
        for (size_t k = 0; k < share->stored.track_count; k++) {
            const struct fth_track *track = &share->stored.tracks[k];
            if (!track->block_count)
                continue;
            FTH_GROW(calls->stretches, count);
            calls->stretches[count++] = (struct fth_stretch){share, track, frames};
            frames += fth_track_bytes(track);
        }
    }
    if (count)
        qsort(calls->stretches, count, sizeof *calls->stretches, by_thread);
    return count;
}

static int by_start(const void *one, const void *other, void *context)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return is_before(context, a, b) ? -1 : a != b;
}

/* A thread is opened when its first call may be due: one process may have had any number of them,
 * one after the other. */
static void list_threads(struct fth_calls *calls, size_t stretch_count)
{
    for (size_t i = 0; i < stretch_count; i++) {
        const struct fth_stretch *stretch = &calls->stretches[i];
        if (i && stretch[-1].track->thread == stretch->track->thread) {
            calls->threads[calls->thread_count - 1].stretch_count++;
            continue;
        }
        FTH_GROW(calls->threads, calls->thread_count);
        calls->threads[calls->thread_count++] = (struct thread){
            .stretches = stretch,
            .stretch_count = 1,
            .next_start = fth_model_time(calls->process, stretch->track->blocks->base *
                                                             stretch->share->stored.facts.quantum)};
    }
    calls->queue = fth_new(calls->thread_count, sizeof *calls->queue);
    for (uint32_t i = 0; i < calls->thread_count; i++)
        calls->queue[i] = i;
    calls->queue_length = calls->thread_count;
    if (calls->queue_length) /* what is sorted is a heap */
        qsort_r(calls->queue, calls->queue_length, sizeof *calls->queue, by_start, calls);
}

static struct fth_calls *open_from(struct fth_trace *trace, size_t proc, int64_t time,
                                   struct fth_error **error)
{
    if (proc >= trace->process_count) {
        fth_fail(error, "there is no process %zu: the trace has %zu", proc, trace->process_count);
        return NULL;
    }
    struct fth_calls *calls = fth_new(1, sizeof *calls);
    *calls = (struct fth_calls){
        .trace = trace, .proc = proc, .process = &trace->processes[proc], .from = time};
    if (read_shares(calls, error)) {
        fth_calls_close(calls);
        return NULL;
    }
    list_threads(calls, list_stretches(calls));
    return calls;
}

struct fth_calls *fth_calls_as_asked(struct fth_trace *trace, size_t proc, struct fth_error **error)
{
    return open_from(trace, proc, INT64_MIN, error);
}

struct fth_calls *fth_calls_from(struct fth_trace *trace, size_t proc, int64_t time,
                                 struct fth_error **error)
{
    struct fth_calls *calls = open_from(trace, proc, time, error);
    if (calls)
        calls->completed = fth_completed_find(trace, proc, calls->shares, calls->share_count);
    return calls;
}

struct fth_calls *fth_calls_open(struct fth_trace *trace, size_t proc, struct fth_error **error)
{
    return fth_calls_from(trace, proc, INT64_MIN, error);
}

struct fth_calls *fth_calls_with_handles(struct fth_trace *trace, size_t proc,
                                         struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_open(trace, proc, error);
    if (calls)
        calls->handles = fth_handle_tree_open(trace, proc, calls->thread_count);
    return calls;
}

void fth_calls_choose(struct fth_calls *calls, const struct fth_choice *choice)
{
    calls->chosen = fth_chosen_new(calls->trace, calls->presenter.signature_count, choice);
}

uint64_t fth_calls_left_out(const struct fth_calls *calls)
{
    return calls->left_out;
}

const struct fth_handle *fth_calls_ended_handle(struct fth_calls *calls)
{
    return calls->handles ? fth_handle_tree_ended(calls->handles) : NULL;
}

static int open_thread(struct fth_calls *calls, struct thread *thread, struct fth_error **error)
{
    fth_thread_reader_open(&thread->reader, calls->trace, &calls->names, thread->stretches,
                           thread->stretch_count);
    thread->open = true;
    thread->reader.keeps_starts = calls->has_starts;
    if (calls->from == INT64_MIN)
        return 0;
    return fth_seek_time(&calls->seeker, &thread->reader, calls->from, &thread->next_number, error);
}

/* More calls of a thread whose last ones are out. */
static int refill(struct fth_calls *calls, struct thread *thread, struct fth_error **error)
{
    if ((!thread->open && open_thread(calls, thread, error)) || fill(calls, thread, error))
        return fth_fail_in(error, "process %zu of trace '%s'", calls->proc, calls->trace->path);
    if (thread->alone)
        thread->next_start = fth_model_time(calls->process, thread->raw->entry);
    else if (fth_entry_order_has_next(&thread->inner))
        thread->next_start = fth_entry_order_start(&thread->inner);
    return 0;
}

/* A call in no other, with none inside. */
static void give_alone(struct fth_calls *calls, struct thread *thread, struct fth_call *call)
{
    fth_present(&calls->presenter, &thread->reader, &thread->arena, thread->raw, call);
    call->number = thread->next_number++;
    thread->alone = false;
    if (!calls->turns)
        return;
    begin_turn(calls->turns, true);
    if (!(calls->turns->loops && keep_for_loops(calls, thread)) &&
        gather(calls, thread, thread->raw))
        note_turn(calls, thread);
    set_site(calls->turns, thread, thread->raw->signature->function, 0);
}

/* Gives the thread's next call out. */
static void give(struct fth_calls *calls, struct thread *thread, struct fth_call *call)
{
    if (thread->alone) {
        give_alone(calls, thread, call);
        return;
    }
    fth_entry_order_give(&thread->inner, call);
    if (calls->turns)
        fth_loops_break(calls->turns->loops);
    if (calls->turns)
        set_site(calls->turns, thread, (size_t)(call->function - calls->trace->functions),
                 thread->inner.next - 1);
    /* After its last one it stays where it is, with a time before its next call. */
    if (fth_entry_order_has_next(&thread->inner))
        thread->next_start = fth_entry_order_start(&thread->inner);
}

/* ---- who started a thread ---- */

/* Who reads from the middle on has not seen it: reads from the start up to the thread's first call.
 * What is damaged there says nothing. */
static void look_into_the_past(struct fth_calls *calls, struct thread *thread)
{
    size_t index = (size_t)(thread - calls->threads);
    struct fth_error *error = NULL;
    struct fth_call call;
    if (!calls->past)
        calls->past = fth_calls_as_asked(calls->trace, calls->proc, &error);
    while (calls->past && !calls->past->threads[index].starter_is_known &&
           fth_calls_next(calls->past, &call, &error) > 0)
        ;
    if (calls->past)
        thread->starter = calls->past->threads[index].starter;
    fth_error_free(error);
}

/* Calls around it, in its own thread, it has none. */
static void find_starter(struct fth_calls *calls, struct thread *thread, struct fth_call *call)
{
    if (!thread->starter_is_known) {
        thread->starter = fth_starts_find(&calls->starts, thread->starts.followed);
        if (calls->from != INT64_MIN)
            look_into_the_past(calls, thread);
        thread->starter_is_known = true;
    }
    if (thread->starter.call != FTH_NO_CALL) {
        call->parent = thread->starter.call;
        call->parent_thread = thread->starter.thread;
        call->starter = thread->starter.function;
    }
}

int fth_calls_next(struct fth_calls *calls, struct fth_call *call, struct fth_error **error)
{
    while (calls->queue_length) {
        struct thread *first = &calls->threads[calls->queue[0]];
        bool is_ready = first->alone || fth_entry_order_has_next(&first->inner);
        if (!is_ready && first->ended) {
            leave_queue(calls);
            continue;
        }
        if (!is_ready && refill(calls, first, error))
            return -1;
        if (first->again) {
            first->again = false;
            return FTH_AGAIN;
        }
        /* The only one left is the first, whatever its time. */
        if (!is_ready && calls->queue_length > 1) {
            sink_first(calls);
            continue;
        }
        if (!first->alone && !fth_entry_order_has_next(&first->inner))
            continue;
        give(calls, first, call);
        fth_control_blocks_put(&calls->blocks, calls->trace, call);
        if (calls->completed)
            fth_completed_put(calls->completed, call, calls->blocks.list);
        if (calls->has_starts && call->depth == 0)
            find_starter(calls, first, call);
        if (calls->handles) {
            fth_handle_tree_add(calls->handles, (size_t)(first - calls->threads), call);
            fth_control_blocks_put_handles(&calls->blocks, call);
        }
        if (calls->queue_length > 1)
            sink_first(calls);
        if (call->end >= calls->from)
            return 1;
    }
    if (calls->handles)
        fth_handle_tree_end(calls->handles);
    return 0;
}

void fth_calls_close(struct fth_calls *calls)
{
    if (!calls)
        return;
    for (size_t i = 0; i < calls->thread_count; i++)
        close_thread(&calls->threads[i]);
    for (size_t i = 0; i < calls->share_count; i++) {
        fth_part_process_free(&calls->shares[i].stored);
        free(calls->shares[i].templates);
    }
    free(calls->shares);
    fth_handle_tree_close(calls->handles);
    fth_presenter_close(&calls->presenter);
    fth_seeker_close(&calls->seeker);
    fth_starts_free(&calls->starts);
    fth_calls_close(calls->past);
    fth_completed_free(calls->completed);
    fth_chosen_free(calls->chosen);
    fth_control_blocks_free(&calls->blocks);
    fth_process_names_free(&calls->names);
    if (calls->turns)
        fth_loops_free(calls->turns->loops);
    fth_turns_free(calls->turns);
    free(calls->threads);
    free(calls->queue);
    free(calls->stretches);
    free(calls);
}
