/* Calls that take turns, each a turn by itself: lseek, write, lseek, write ... When two rounds have
 * come, those behind them are only compared with these, and given at once. Times, and values that
 * may differ, are decoded; who goes through them need not look at each. */
#include "model/calls/turns.h"

/* So many calls of one site behind one another are sooner read as a row, without being decoded. */
enum { ROW = 4 };

void fth_repeats_break(struct fth_repeats *repeats)
{
    repeats->count = repeats->period = repeats->matching = 0;
}

void fth_repeats_follow(struct fth_repeats *repeats, uint32_t number)
{
    if (repeats->period && fth_repeats_ago(repeats, repeats->period) == number) {
        repeats->matching++;
    } else {
        uint32_t ago = 1,
                 most = repeats->count < FTH_MOST_ROUND ? (uint32_t)repeats->count : FTH_MOST_ROUND;
        while (ago <= most && fth_repeats_ago(repeats, ago) != number)
            ago++;
        repeats->period = ago <= most ? ago : 0;
        repeats->matching = ago <= most;
    }
    repeats->recent[repeats->count++ % FTH_MOST_ROUND] = number;
}

void fth_rounds_break(struct fth_turns *turns)
{
    fth_repeats_break(&turns->repeats);
}

void fth_rounds_follow(struct fth_turns *turns, uint32_t site)
{
    fth_repeats_follow(&turns->repeats, site);
}

bool fth_rounds_begin(struct fth_turns *turns, uint64_t first_number)
{
    struct fth_rounds *rounds = &turns->rounds;
    uint32_t row = 1;
    rounds->count = rounds->at = rounds->round = 0;
    rounds->in_a_row = rounds->stays = rounds->varies = false;
    if (!turns->repeats.period || turns->repeats.matching < turns->repeats.period)
        return false;
    rounds->period = turns->repeats.period;
    rounds->first_number = first_number;
    for (uint32_t i = 0; i < rounds->period; i++) {
        rounds->sites[i] = fth_repeats_ago(&turns->repeats, rounds->period - i);
        row = i && rounds->sites[i] == rounds->sites[i - 1] ? row + 1 : 1;
        if (turns->sites[rounds->sites[i]]->way == FTH_SITE_ODD || row == ROW)
            return false;
    }
    return true;
}

/* Do calls of this signature differ in nothing but places, and where seeks go? */
static bool differs_in_places(const struct fth_raw_call *raw)
{
    const struct fth_meaning *meaning = raw->meaning;
    uint32_t open = raw->signature->mask | raw->signature->steps;
    for (int i = 0; open && i < meaning->value_count; i++) {
        enum fth_value_part part = meaning->plan[i].part;
        if (part == FTH_PART_OFFSET || part == FTH_PART_DISTANCE || part == FTH_PART_POSITION)
            open &= ~((uint32_t)1 << i);
    }
    return !open && !meaning->name_count;
}

/* Is the access, which is in this place, as far behind the one before as that was? */
static bool is_in_step(struct fth_rounds *rounds, int64_t at, uint64_t length)
{
    struct fth_round_place *place = &rounds->places[rounds->at];
    uint32_t round = rounds->round;
    int64_t end;
    if (at < 0 || length > INT64_MAX || __builtin_add_overflow(at, (int64_t)length, &end))
        return false;
    if (round == 0)
        place->first = (uint64_t)at;
    else if (round == 1)
        place->step = (int64_t)((uint64_t)at - place->first);
    return (uint64_t)at == place->first + round * (uint64_t)place->step;
}

static bool moves_on(struct fth_rounds *rounds, const struct fth_site *site,
                     const struct fth_raw_call *raw)
{
    uint64_t length = site->access.length;
    switch (site->way) {
    case FTH_SITE_STILL:
        return true;
    case FTH_SITE_PLACED:
        return is_in_step(rounds, raw->values[site->place], length);
    case FTH_SITE_AT_POSITION:
        if (!site->position || !is_in_step(rounds, *site->position, length))
            return false;
        *site->position += (int64_t)length;
        return true;
    case FTH_SITE_SEEKS:
        if (!site->position)
            return false;
        *site->position = raw->values[raw->meaning->result];
        return true;
    default:
        return false;
    }
}

/* Is the call of the site of this place? What is known of a signature holds as long as no binding
 * changes, which ends rounds. */
static bool is_of_place(struct fth_turns *turns, const struct fth_raw_call *raw, uint64_t version)
{
    struct fth_rounds *rounds = &turns->rounds;
    if (rounds->round && rounds->known[rounds->at] == raw->number + 1)
        return version == rounds->version;
    const struct fth_turn *turn = fth_turns_find(turns, &raw->number, 1, version);
    if (!turn || turn->first_site != rounds->sites[rounds->at] || !differs_in_places(raw))
        return false;
    rounds->known[rounds->at] = raw->number + 1;
    rounds->version = version;
    rounds->varies |= raw->signature->mask || raw->signature->steps;
    rounds->slots[rounds->at] = fth_slot_of_cursor(raw->meaning, raw->values);
    rounds->classes[rounds->at] =
        rounds->slots[rounds->at] < 0 ? -1 : raw->meaning->about.handle_class;
    return true;
}

bool fth_rounds_take(struct fth_turns *turns, const struct fth_raw_call *raw, uint64_t version,
                     struct fth_again_time time)
{
    struct fth_rounds *rounds = &turns->rounds;
    if (!is_of_place(turns, raw, version) || fth_raw_fails(raw))
        return false;
    if (!rounds->round)
        rounds->places[rounds->at] = (struct fth_round_place){0};
    if (!moves_on(rounds, turns->sites[rounds->sites[rounds->at]], raw))
        return false;
    rounds->times[rounds->count++] = time;
    if (++rounds->at == rounds->period) {
        rounds->at = 0;
        rounds->round++;
    }
    return true;
}

/* ---- rounds that need not be decoded ---- */

/* A signature without columns moves a cursor by the same distance each time. */
bool fth_rounds_read(const struct fth_turns *turns, struct fth_read_round *round)
{
    const struct fth_rounds *rounds = &turns->rounds;
    round->count = rounds->period;
    for (uint32_t i = 0; i < rounds->period; i++)
        round->numbers[i] = rounds->known[i] - 1;
    return !rounds->varies;
}

static struct fth_cursor_state *cursor_at(const struct fth_rounds *rounds,
                                          struct fth_thread_state *state, uint32_t place)
{
    return rounds->classes[place] < 0
               ? NULL
               : fth_state_cursor(state, rounds->classes[place], rounds->slots[place]);
}

void fth_rounds_note_standing(const struct fth_turns *turns, struct fth_thread_state *state,
                              struct fth_round_standing *standing)
{
    const struct fth_rounds *rounds = &turns->rounds;
    for (uint32_t i = 0; i < rounds->period; i++) {
        const struct fth_cursor_state *cursor = cursor_at(rounds, state, i);
        const int64_t *position = turns->sites[rounds->sites[i]]->position;
        standing->ends[i] = cursor ? cursor->end : 0;
        standing->views[i] = cursor ? cursor->view : 0;
        standing->positions[i] = position ? *position : 0;
    }
}

/* Far below the largest place, so that within a round there is none beyond that. */
static const int64_t far = INT64_C(1) << 52;

static bool reach(int64_t before, int64_t last, uint32_t count, int64_t *end)
{
    if (before < -far || before > far || last < -far || last > far)
        return false;
    int64_t step = last - before;
    return !__builtin_mul_overflow(step, (int64_t)count, end) &&
           !__builtin_add_overflow(*end, last, end) && *end >= -far && *end <= far &&
           FTH_IS_PLACE(last) && FTH_IS_PLACE(*end);
}

bool fth_rounds_go_on(struct fth_turns *turns, struct fth_thread_state *state,
                      const struct fth_round_standing *before,
                      const struct fth_round_standing *last, uint32_t count)
{
    const struct fth_rounds *rounds = &turns->rounds;
    struct fth_round_standing end;
    for (uint32_t i = 0; i < rounds->period; i++)
        if (before->views[i] != last->views[i] ||
            !reach(before->ends[i], last->ends[i], count, &end.ends[i]) ||
            !reach(before->positions[i], last->positions[i], count, &end.positions[i]))
            return false;
    for (uint32_t i = 0; i < rounds->period; i++) {
        struct fth_cursor_state *cursor = cursor_at(rounds, state, i);
        int64_t *position = turns->sites[rounds->sites[i]]->position;
        if (cursor)
            cursor->end = end.ends[i];
        if (position)
            *position = end.positions[i];
    }
    return true;
}

/* Nothing but their places tells them apart. */
static bool are_alike(const struct fth_site *one, const struct fth_site *other)
{
    const struct fth_call *a = &one->access.call, *b = &other->access.call;
    return one->way == FTH_SITE_PLACED && other->way == FTH_SITE_PLACED &&
           one->access.length == other->access.length && a->function == b->function &&
           a->thread == b->thread && a->file_number == b->file_number && a->handle == b->handle;
}

bool fth_rounds_lead(struct fth_turns *turns, const struct fth_raw_call *raw,
                     const struct fth_raw_call *next, uint64_t version, int64_t *step)
{
    const struct fth_site *site = turns->sites[turns->turn->first_site];
    const struct fth_turn *turn = fth_turns_find(turns, &next->number, 1, version);
    if (!turn || !are_alike(site, turns->sites[turn->first_site]) || !differs_in_places(raw) ||
        !differs_in_places(next) || fth_raw_fails(raw) || fth_raw_fails(next))
        return false;
    int64_t first = raw->values[site->place],
            second = next->values[turns->sites[turn->first_site]->place];
    if (first < 0 || second < 0 || second > INT64_MAX - (int64_t)site->access.length)
        return false;
    *step = second - first;
    turns->rounds.sites[0] = turn->first_site;
    turns->rounds.places->first = (uint64_t)second;
    return true;
}

void fth_rounds_end(struct fth_turns *turns)
{
    const struct fth_rounds *rounds = &turns->rounds;
    if (rounds->in_a_row && rounds->count >= ROW) {
        fth_rounds_break(turns);
        return;
    }
    uint32_t most = rounds->count < FTH_MOST_ROUND ? rounds->count : FTH_MOST_ROUND;
    for (uint32_t i = rounds->count - most; i < rounds->count; i++)
        fth_rounds_follow(turns, rounds->sites[i % rounds->period]);
}
