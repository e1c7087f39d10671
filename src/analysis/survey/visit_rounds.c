/* What passes are given of calls that take turns (model/calls/again.h). All calls of a site are one
 * frame, unless their order among those of other sites matters: on one file it does. */
#include "analysis/survey/visit.h"

#include "base/memory.h"

#include <stdlib.h>

struct frames {
    struct fth_frame first[FTH_MOST_ROUND], all[FTH_MOST_ROUND];
    uint32_t count; /* of sites */
    bool is_given[FTH_MOST_ROUND];
};

static void call_listener(const struct fth_visit *visit, const struct fth_rounds *rounds)
{
    uint64_t bytes[FTH_MOST_ROUND];
    for (uint32_t i = 0; i < rounds->period; i++)
        bytes[i] = visit->sites.items[rounds->sites[i]]->frame.data.bytes;
    const struct fth_calls_again calls = {rounds->count, rounds->period,
                                          rounds->sites, bytes,
                                          rounds->times, rounds->stays ? rounds : NULL};
    if (visit->listener)
        visit->listener->again(visit->listening, &calls);
}

/* The calls of one site. */
static void make(const struct fth_visit *visit, const struct fth_rounds *rounds, uint32_t place,
                 struct frames *frames)
{
    struct fth_frame *first = &frames->first[place];
    uint32_t more = (rounds->count - place - 1) / rounds->period;
    *first = visit->sites.items[rounds->sites[place]]->frame;
    if (first->data.ranges && !rounds->stays) {
        first->data.behind += rounds->places[place].first - first->data.first;
        first->data.first = rounds->places[place].first;
    }
    first->number = rounds->first_number + place;
    first->times.start = rounds->times[place].start;
    first->times.end = rounds->times[place].end;
    fth_frame_close(first);
    frames->all[place] = *first;
    if (more)
        fth_frame_repeat(&frames->all[place], &rounds->times[place + rounds->period], more,
                         rounds->period, rounds->places[place].step);
}

/* ---- in order ---- */

static void give_one_by_one(const struct fth_visit *visit, const struct fth_frames_in_turn *turns)
{
    for (uint64_t i = 0, left = turns->count; left; i++) {
        left = 0;
        for (uint32_t k = 0; k < turns->count; k++) {
            const struct fth_frame_in_turn *frame = &turns->frames[k];
            if (i >= frame->all->calls)
                continue;
            const struct fth_frame one = fth_frame_of_turn(frame, turns->apart, i);
            fth_visit_give_each(visit, &one);
            left++;
        }
    }
}

static void give_in_turn(const struct fth_visit *visit, const struct fth_frames_in_turn *turns)
{
    for (size_t i = 0; i < visit->pass_count; i++) {
        const struct fth_pass *pass = visit->passes[i];
        if (pass->turns)
            pass->turns(visit->states[i], turns);
        for (uint32_t k = 0; pass->each && !pass->turns && k < turns->count; k++)
            pass->each(visit->states[i], turns->frames[k].all);
    }
}

/* Those about the same file as the one at this place, which is the first of them. */
static void give_file(const struct fth_visit *visit, const struct fth_rounds *rounds,
                      struct frames *frames, uint32_t place)
{
    struct fth_frames_in_turn turns = {.apart = rounds->period};
    uint32_t file = frames->first[place].file.number;
    for (uint32_t i = place; i < frames->count; i++) {
        if (frames->is_given[i] || frames->first[i].file.number != file)
            continue;
        frames->is_given[i] = true;
        turns.frames[turns.count++] =
            (struct fth_frame_in_turn){&frames->first[i], &frames->all[i], &rounds->times[i]};
    }
    if (frames->first[place].file.servers > 1) /* each call has a server of its own */
        give_one_by_one(visit, &turns);
    else if (turns.count == 1)
        fth_visit_give_each(visit, turns.frames[0].all);
    else
        give_in_turn(visit, &turns);
}

/* ---- doors ---- */

void fth_visit_rounds(struct fth_visit *visit, const struct fth_rounds *rounds)
{
    struct frames frames = {.count =
                                rounds->count < rounds->period ? rounds->count : rounds->period};
    call_listener(visit, rounds);
    for (uint32_t i = 0; i < frames.count; i++) {
        make(visit, rounds, i, &frames);
        frames.is_given[i] = frames.first[i].left_out || !fth_visit_is_for_each(&frames.first[i]);
    }
    for (uint32_t i = 0; i < frames.count; i++)
        if (!frames.is_given[i])
            give_file(visit, rounds, &frames, i);
    for (uint32_t i = 0; i < frames.count; i++) {
        if (frames.first[i].left_out)
            continue;
        fth_frame_add_up(&frames.all[i]);
        fth_visit_add_to_sum(visit, rounds->sites[i], &frames.all[i]);
    }
}

/* Behind a jump, the first is of its own site. */
static void add_row(struct fth_visit *visit, const struct fth_rounds *row, uint32_t first_site,
                    struct fth_frame *all)
{
    const struct fth_frame *one = &visit->sites.items[first_site]->frame;
    if (row->sites[0] == first_site) {
        fth_frame_add_up(all);
        fth_visit_add_to_sum(visit, first_site, all);
        return;
    }
    struct frames frames;
    make(visit, row, 0, &frames);
    fth_visit_add_to_sum(visit, first_site, one);
    fth_frame_add_up(&frames.all[0]);
    fth_visit_add_to_sum(visit, row->sites[0], &frames.all[0]);
}

void fth_visit_row(struct fth_visit *visit, const struct fth_rounds *row, uint32_t first_site)
{
    struct fth_frame *one = &visit->sites.items[first_site]->frame;
    call_listener(visit, row);
    fth_frame_close(one);
    if (one->left_out)
        return;
    struct fth_frame all = *one;
    fth_frame_repeat(&all, row->times, row->count, 1, row->places->step);
    if (one->file.servers > 1) {
        struct fth_frame next = *one, behind = all;
        next.data.first += (uint64_t)all.data.step;
        next.data.behind += (uint64_t)all.data.step;
        next.number++;
        behind.calls--;
        fth_visit_give_each(visit, one);
        give_one_by_one(visit, &(struct fth_frames_in_turn){1, 1, {{&next, &behind, row->times}}});
    } else {
        fth_visit_give_each(visit, &all);
    }
    add_row(visit, row, first_site, &all);
}

/* ---- rounds of calls that do not come again by themselves ---- */

/* Those of the passes of a visit that take such rounds as a whole, or those that do not. */
static struct fth_visit some_passes(const struct fth_visit *visit, const struct frames *frames,
                                    bool whole, const struct fth_pass **passes, void **states)
{
    struct fth_visit some = *visit;
    bool of_all = false; /* what syncs all files must not leave its place among their accesses */
    for (uint32_t i = 0; i < frames->count; i++)
        of_all |= fth_frame_syncs_all(&frames->first[i]);
    some.passes = passes;
    some.states = states;
    some.pass_count = 0;
    for (size_t i = 0; i < visit->pass_count; i++) {
        const struct fth_pass *pass = visit->passes[i];
        bool takes =
            !of_all && pass->rounds && pass->rounds(visit->states[i], frames->first, frames->count);
        if (takes != whole)
            continue;
        passes[some.pass_count] = pass;
        states[some.pass_count++] = visit->states[i];
    }
    return some;
}

/* The handle of a call in this round, from the first of all that are not given call by call. */
static void number_handle(struct fth_frame *frame, const struct fth_rounds *rounds, uint64_t round)
{
    if (frame->file.handle != FTH_NO_CALL && frame->file.handle >= rounds->first_handle)
        frame->file.handle += (round + 1) * rounds->handles;
}

static void give_all_one_by_one(const struct fth_visit *visit, const struct fth_rounds *rounds,
                                const struct frames *frames)
{
    for (uint32_t i = 0; i < rounds->count; i++) {
        uint32_t place = i % rounds->period;
        const struct fth_frame_in_turn frame = {&frames->first[place], &frames->all[place],
                                                &rounds->times[place]};
        struct fth_frame one = fth_frame_of_turn(&frame, rounds->period, i / rounds->period);
        number_handle(&one, rounds, rounds->before + i / rounds->period);
        if (one.left_out)
            continue;
        fth_visit_give_each(visit, &one);
        fth_visit_give_call(visit, &one);
    }
}

static void give_as_a_whole(const struct fth_visit *visit, const struct fth_rounds *rounds,
                            struct frames *frames)
{
    for (uint32_t i = 0; i < frames->count; i++)
        frames->is_given[i] =
            frames->first[i].left_out || !fth_visit_is_for_each(&frames->first[i]);
    for (uint32_t i = 0; i < frames->count; i++)
        if (!frames->is_given[i])
            give_file(visit, rounds, frames, i);
    for (uint32_t i = 0; i < frames->count; i++) {
        struct fth_frame all = frames->all[i];
        if (all.left_out)
            continue;
        number_handle(&all, rounds, rounds->before);
        fth_frame_add_up(&all);
        fth_visit_give_call(visit, &all);
    }
}

void fth_visit_opened_again(struct fth_visit *visit, const struct fth_rounds *rounds)
{
    struct frames frames = {.count = rounds->period};
    call_listener(visit, rounds);
    for (uint32_t i = 0; i < frames.count; i++)
        make(visit, rounds, i, &frames);
    const struct fth_pass **passes = fth_new(visit->pass_count + 1, sizeof *passes);
    void **states = fth_new(visit->pass_count + 1, sizeof *states);
    const struct fth_visit whole = some_passes(visit, &frames, true, passes, states);
    give_as_a_whole(&whole, rounds, &frames);
    const struct fth_visit each = some_passes(visit, &frames, false, passes, states);
    if (each.pass_count)
        give_all_one_by_one(&each, rounds, &frames);
    free(states);
    free(passes);
}
