/* Turns are found by the signatures of their calls in order of exit, as they come out of the
 * trace. */
#include "model/calls/turns.h"

#include "base/memory.h"

struct fth_turns *fth_turns_new(bool *plain)
{
    struct fth_turns *turns = fth_new(1, sizeof *turns);
    turns->plain = plain;
    turns->known.size = sizeof(struct fth_turn *);
    turns->given = FTH_NO_SITE;
    return turns;
}

static void free_turn(struct fth_turn *turn)
{
    if (!turn)
        return;
    free(turn->exits);
    free(turn->entries);
    free(turn->arounds);
    free(turn);
}

void fth_turns_free(struct fth_turns *turns)
{
    if (!turns)
        return;
    for (uint32_t i = 0; i < fth_keyed_count(&turns->known); i++)
        free_turn(*(struct fth_turn **)fth_keyed_item(&turns->known, i));
    for (uint32_t i = 0; i < turns->site_count; i++)
        free(turns->sites[i]);
    fth_keyed_free(&turns->known);
    free(turns->sites);
    free(turns->alone);
    free(turns->plain);
    free(turns);
}

static bool holds(const struct fth_turns *turns, const struct fth_turn *turn, uint64_t version)
{
    return turn->generation == turns->generation && turn->version == version;
}

const struct fth_turn *fth_turns_find(const struct fth_turns *turns, const uint32_t *numbers,
                                      uint32_t count, uint64_t version)
{
    const struct fth_turn *turn = NULL;
    uint32_t place;
    if (count == 1)
        turn = *numbers < turns->alone_limit ? turns->alone[*numbers] : NULL;
    else if (fth_keyed_number(&turns->known, numbers, count * sizeof *numbers, &place))
        turn = *(struct fth_turn **)fth_keyed_item(&turns->known, place);
    return turn && !turn->refused && holds(turns, turn, version) ? turn : NULL;
}

/* Where calls of these depths lie inside one another: each in the next one that is less deep. In
 * order of entry a call comes before those inside of it, and these in order of exit. */
static void nest(struct fth_turn *turn, const uint32_t *depths)
{
    uint32_t count = turn->count;
    uint32_t *sizes = fth_new(count, sizeof *sizes), *ends = fth_new(count, sizeof *ends);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t around = i + 1;
        while (around < count && depths[around] >= depths[i])
            around++;
        turn->arounds[i] = around;
        sizes[i]++;
        if (around < count)
            sizes[around] += sizes[i];
    }
    for (uint32_t i = count; i-- > 0;) {
        uint32_t around = turn->arounds[i], end = around < count ? ends[around] : count;
        uint32_t entry = end - sizes[i];
        turn->entries[i] = entry;
        turn->exits[entry] = i;
        ends[i] = end;
        if (around < count)
            ends[around] = entry;
    }
    free(sizes);
    free(ends);
}

static struct fth_turn *make(struct fth_turns *turns, const uint32_t *depths, uint32_t count)
{
    struct fth_turn *turn = fth_new(1, sizeof *turn);
    *turn = (struct fth_turn){.count = count,
                              .first_site = turns->site_count,
                              .exits = fth_new(count, sizeof *turn->exits),
                              .entries = fth_new(count, sizeof *turn->entries),
                              .arounds = fth_new(count, sizeof *turn->arounds)};
    nest(turn, depths);
    for (uint32_t entry = 0; entry < count; entry++) {
        uint32_t around = turn->arounds[turn->exits[entry]];
        FTH_GROW(turns->sites, turns->site_count);
        struct fth_site *site = turns->sites[turns->site_count++] = fth_new(1, sizeof *site);
        site->turn = turn;
        site->around = around < count ? turn->first_site + turn->entries[around] : FTH_NO_SITE;
    }
    return turn;
}

/* Calls may lie otherwise inside one another than depths say: when one began before the call that
 * it should be in. */
static bool lies_as_depths_say(const struct fth_turn *turn, const int64_t *parents)
{
    for (uint32_t entry = 0; entry < turn->count; entry++) {
        uint32_t around = turn->arounds[turn->exits[entry]];
        bool same =
            around < turn->count ? parents[entry] == turn->entries[around] : parents[entry] < 0;
        if (!same)
            return false;
    }
    return true;
}

const struct fth_turn *fth_turns_note(struct fth_turns *turns, const uint32_t *numbers,
                                      const uint32_t *depths, uint32_t count, uint64_t version,
                                      const int64_t *parents)
{
    if (turns->site_count + count > FTH_MOST_SITES &&
        !fth_keyed_has(&turns->known, numbers, count * sizeof *numbers))
        return NULL;
    struct fth_turn **place = fth_keyed_get(&turns->known, numbers, count * sizeof *numbers);
    if (!*place)
        *place = make(turns, depths, count);
    struct fth_turn *turn = *place;
    if (count == 1) {
        turns->alone = fth_reach(turns->alone, &turns->alone_limit, *numbers, sizeof *turns->alone);
        turns->alone[*numbers] = turn;
    }
    if ((turn->refused && holds(turns, turn, version)) || !lies_as_depths_say(turn, parents))
        return NULL;
    turn->generation = turns->generation;
    turn->version = version;
    turn->refused = false;
    return turn;
}

const struct fth_turn *fth_turns_note_place(struct fth_turns *turns, uint32_t number,
                                            uint32_t place, uint64_t version)
{
    static const uint32_t of_a_round = (uint32_t)1 << 31;
    const uint32_t key[] = {number, of_a_round | place}, depth = 0;
    if (turns->site_count >= FTH_MOST_SITES / 2 && !fth_keyed_has(&turns->known, key, sizeof key))
        return NULL;
    struct fth_turn **known = fth_keyed_get(&turns->known, key, sizeof key);
    if (!*known)
        *known = make(turns, &depth, 1);
    (*known)->generation = turns->generation;
    (*known)->version = version;
    (*known)->refused = false;
    (*known)->of_round = true;
    return *known;
}

bool fth_turn_fits(const struct fth_turn *turn, const struct fth_raw_call *raw)
{
    for (uint32_t i = 0; i + 1 < turn->count; i++)
        if (raw[i].entry < raw[turn->arounds[i]].entry)
            return false;
    return true;
}
