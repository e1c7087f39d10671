/* Which trail a value goes on from. The signature says what was chosen, so the reader does not
 * choose; here any choice is right, and a good one is that which makes a signature that is there
 * already. */
#include "capture/record/steps.h"

#include "trace/record/spill.h"

static uint32_t number_of_pair(int64_t step, unsigned trail)
{
    uint64_t hash = ((uint64_t)step * FTH_TRAILS + trail + 1) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash >> 32) | 1;
}

static uint32_t *known_place(struct fth_habits *habits, uint32_t pair)
{
    return &habits->known[pair >> 27];
}

static uint64_t size_of(int64_t step)
{
    return step < 0 ? -(uint64_t)step : (uint64_t)step;
}

/* The trail that went by this very step the last time, else one that has gone by it before, else
 * the nearest: streams that take turns come to have one each. */
static unsigned choose_trail(const struct fth_habits *habits, const int64_t *last, int64_t value)
{
    for (unsigned i = 0; i < FTH_TRAILS; i++)
        if (fth_minus(value, last[i]) == habits->step[i])
            return i;
    unsigned nearest = 0;
    for (unsigned i = 0; i < FTH_TRAILS; i++) {
        int64_t step = fth_minus(value, last[i]);
        uint32_t pair = number_of_pair(step, i);
        if (*known_place((struct fth_habits *)habits, pair) == pair)
            return i;
        if (size_of(step) < size_of(fth_minus(value, last[nearest])))
            nearest = i;
    }
    return nearest;
}

/* What is kept of the value. False: it is too far from all its trails. */
static bool keep_step(struct fth_stepping *stepping, uint32_t key, int64_t value, int64_t *kept)
{
    static const int64_t start[FTH_TRAILS];
    const struct fth_trail_set *set = &stepping->trails.sets[fth_trail_place(key)];
    const int64_t *last = set->key == key ? set->last : start;
    struct fth_habits *habits = &stepping->habits[fth_trail_place(key)];
    if (habits->key != key)
        *habits = (struct fth_habits){.key = key};
    unsigned trail = choose_trail(habits, last, value);
    int64_t step = fth_minus(value, last[trail]);
    if (!fth_step_fits(step))
        return false;
    uint32_t pair = number_of_pair(step, trail);
    habits->step[trail] = step;
    *known_place(habits, pair) = pair;
    *kept = fth_step_pack(step, trail);
    return true;
}

unsigned fth_steps_take(struct fth_draft *draft, uint32_t mask)
{
    struct fth_recorder *recorder = draft->recorder;
    struct fth_steps *steps = &recorder->stepping->now;
    uint32_t function = (uint32_t)draft->head & 0xffff, taken = 0;
    int32_t cursor = draft->cursor ? (int32_t)(draft->cursor - recorder->cursors[0]) : -1;
    int32_t slot = cursor < 0 ? -1 : cursor % FTH_CURSOR_SLOTS;
    steps->count = 0;
    steps->handle_class = (uint32_t)cursor / FTH_CURSOR_SLOTS;
    for (; mask; mask &= mask - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(mask);
        int64_t value = (int)i == draft->predicted ? draft->position : draft->values[i];
        uint32_t key = fth_trail_key(function, i, slot);
        if (!keep_step(recorder->stepping, key, value, &draft->values[i]))
            continue;
        steps->taken[steps->count].key = key;
        steps->taken[steps->count++].kept = draft->values[i];
        taken |= 1u << i;
    }
    if (!taken)
        return 0;
    draft->head |= FTH_HEAD_STEPS;
    draft->values[draft->count] = taken;
    return 1;
}

void fth_steps_done(struct fth_stepping *stepping)
{
    const struct fth_steps *steps = &stepping->now;
    for (uint32_t i = 0; i < steps->count; i++)
        fth_step_take(fth_trails_of(&stepping->trails, steps->taken[i].key, steps->handle_class),
                      steps->taken[i].kept);
}

void fth_steps_begin(struct fth_stepping *stepping)
{
    if (stepping->trails.used)
        memset(&stepping->trails, 0, sizeof stepping->trails);
    stepping->off = false;
}
