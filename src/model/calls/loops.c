/* Two rounds are compared by what their calls were given, and by what they left. */
#include "model/calls/loops.h"

#include "base/memory.h"

#include <string.h>

enum { MOST_FAILED = 4 /* rounds of one loop that are compared in vain */ };

struct fth_loops *fth_loops_new(enum fth_opening_role *openings)
{
    struct fth_loops *loops = fth_new(1, sizeof *loops);
    loops->openings = openings;
    return loops;
}

void fth_loops_free(struct fth_loops *loops)
{
    if (!loops)
        return;
    free(loops->openings);
    free(loops);
}

void fth_loops_break(struct fth_loops *loops)
{
    if (!loops)
        return;
    fth_repeats_break(&loops->repeats);
    loops->kept = loops->failed = 0;
    loops->opened = loops->wanted = loops->mark.at = 0;
    loops->goes_round = false;
}

static bool may_be_in_a_loop(const struct fth_loops *loops, const struct fth_raw_call *raw,
                             bool plain)
{
    return (plain || loops->openings[raw->signature->function] != FTH_OPENS_NOTHING) &&
           !raw->signature->mask && !raw->signature->steps && !raw->depth && !fth_raw_fails(raw);
}

bool fth_loops_expect(const struct fth_loops *loops, size_t thread, const struct fth_raw_call *raw)
{
    const struct fth_repeats *repeats = &loops->repeats;
    return loops->wanted && repeats->period && loops->thread == thread &&
           repeats->count - loops->wanted < repeats->period && loops->failed < MOST_FAILED &&
           fth_repeats_ago(repeats, repeats->period) == raw->number;
}

uint32_t fth_loops_place(const struct fth_loops *loops)
{
    return (uint32_t)(loops->repeats.count % loops->repeats.period);
}

struct fth_loop_call *fth_loops_ago(struct fth_loops *loops, uint32_t ago)
{
    return &loops->calls[(loops->repeats.count - ago) % (2 * FTH_MOST_ROUND)];
}

struct fth_loop_call *fth_loops_follow(struct fth_loops *loops, size_t thread,
                                       const struct fth_raw_call *raw, bool plain, bool by_itself)
{
    if (loops->thread != thread || !may_be_in_a_loop(loops, raw, plain))
        fth_loops_break(loops);
    if (!may_be_in_a_loop(loops, raw, plain))
        return NULL;
    bool expected = fth_loops_expect(loops, thread, raw);
    loops->thread = thread;
    fth_repeats_follow(&loops->repeats, raw->number);
    if (!plain)
        loops->opened = loops->repeats.count;
    if (!by_itself)
        loops->wanted = loops->repeats.count;
    loops->goes_round = false;
    if (!expected) {
        loops->kept = 0;
        loops->failed = loops->repeats.matching > 1 ? loops->failed : 0;
        loops->mark.at = 0;
        return NULL;
    }
    loops->kept += loops->kept < 2 * FTH_MOST_ROUND;
    return fth_loops_ago(loops, 1);
}

/* Where a round opens something, all of it is closed behind a call that closes. */
static bool may_be_closed(struct fth_loops *loops)
{
    const struct fth_repeats *repeats = &loops->repeats;
    return !loops->opened || repeats->count - loops->opened >= repeats->period ||
           loops->openings[fth_loops_ago(loops, 1)->raw.signature->function] == FTH_CLOSES_HANDLES;
}

bool fth_loops_may_end(struct fth_loops *loops)
{
    const struct fth_repeats *repeats = &loops->repeats;
    if (!loops->kept || loops->kept < repeats->period || loops->failed >= MOST_FAILED)
        return false;
    return may_be_closed(loops) && (!loops->mark.at || loops->mark.period != repeats->period ||
                                    repeats->count - loops->mark.at >= repeats->period);
}

static bool is_same_note(const struct fth_read_note *one, const struct fth_read_note *other)
{
    return one->number == other->number &&
           memcmp(one->values, other->values, sizeof one->values) == 0;
}

static bool is_same_call(const struct fth_loop_call *one, const struct fth_loop_call *other)
{
    const struct fth_loop_access *a = &one->access, *b = &other->access;
    if (one->notes.count != other->notes.count || one->notes.others || other->notes.others ||
        one->raw.number != other->raw.number || one->site == FTH_NO_SITE ||
        one->site != other->site || a->kind != b->kind || a->length != b->length ||
        a->at != b->at || a->file_class != b->file_class || a->file != b->file)
        return false;
    for (uint32_t i = 0; i < one->notes.count; i++)
        if (!is_same_note(&one->notes.items[i], &other->notes.items[i]))
            return false;
    return memcmp(one->raw.values, other->raw.values,
                  one->raw.signature->count * sizeof *one->raw.values) == 0;
}

/* What the round has made it has ended, and nothing else. */
static bool leaves_the_same(const struct fth_loop_mark *before, const struct fth_loop_mark *now)
{
    if (now->handles - before->handles != now->ended - before->ended ||
        (now->ended > before->ended && now->first_ended < before->handles))
        return false;
    for (uint32_t i = 0; i < now->period; i++)
        if (now->positions[i] != before->positions[i] ||
            now->cursors[i].end != before->cursors[i].end ||
            now->cursors[i].view != before->cursors[i].view)
            return false;
    return true;
}

static bool were_the_same(struct fth_loops *loops)
{
    uint32_t period = loops->repeats.period;
    if (loops->kept < 2 * period)
        return false;
    for (uint32_t i = 1; i <= period; i++)
        if (!is_same_call(fth_loops_ago(loops, i), fth_loops_ago(loops, i + period)))
            return false;
    return true;
}

bool fth_loops_go_round(struct fth_loops *loops, const struct fth_loop_mark *mark)
{
    struct fth_loop_mark before = loops->mark;
    loops->mark = *mark;
    loops->goes_round = false;
    if (before.period != mark->period || before.at + before.period != mark->at)
        return false;
    if (were_the_same(loops) && leaves_the_same(&before, mark)) {
        loops->failed = 0;
        loops->goes_round = true;
        return true;
    }
    loops->failed++;
    loops->mark.at = 0; /* it may be another place of the round where all is closed */
    return false;
}

bool fth_loops_read_round(struct fth_loops *loops, struct fth_read_round *round)
{
    round->count = 0;
    for (uint32_t ago = loops->repeats.period; ago; ago--) {
        const struct fth_loop_call *call = fth_loops_ago(loops, ago);
        if (round->count + call->notes.count + 1 > FTH_MOST_IN_TURN)
            return false;
        for (uint32_t i = 0; i < call->notes.count; i++)
            round->numbers[round->count++] = call->notes.items[i].number;
        round->numbers[round->count++] = call->raw.number;
    }
    return true;
}
