/* Two-phase I/O (del Rosario, Bordawekar and Choudhary 1993; Thakur, Gropp and Lusk 1999): some
 * processes, the aggregators, gather the parts of a file for all. Each goes through what is its own
 * in windows of the size of its buffer: those who write send it what falls in there, and it writes
 * that; or it reads, and sends everybody what is his. Nobody sends to himself, and who has nothing
 * to do with others in a window does not wait for them (Kunkel 2013, section 7.7.4).
 *
 * The bytes from the first to the last one that anybody wants become windows in one of three ways:
 * in equal parts for all aggregators, which are the file domains of ROMIO; in whole buffers, as
 * many neighbouring ones for each; or in whole buffers dealt one after the other (both PIOsimHD).
 * ROMIO lets all know from where to where everybody accesses, and leaves each to himself when these
 * parts do not overlap in the order of ranks. In PIOsimHD that is known, and everybody is left to
 * himself also when one's part lies inside of another's. */
#include "sim/io/storage.h"
#include "sim/io/clients.h"
#include "sim/world/binomial_tree.h"

#include "base/memory.h"
#include "sim/world/world.h"

#include <stdlib.h>

enum { BUFFER = 16 << 20, TAG = 40, NONE = UINT32_MAX };

enum deal { EQUALLY, BUFFERS, ONE_BY_ONE };

struct scheme {
    enum deal deal;
    bool is_romio;
    bool always; /* also when everybody could do it alone */
    bool whole;  /* an aggregator accesses its window without holes */
    bool writes;
};

/* ---- who gathers what ---- */

static int by_offset(const void *one, const void *other)
{
    const struct fth_sim_extent *a = one, *b = other;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static uint64_t end_of(struct fth_sim_extent extent)
{
    return extent.offset + extent.bytes;
}

/* Whether a part begins before the one of the rank before it has ended. */
static bool do_ranks_overlap(const struct fth_sim_meeting *meeting)
{
    for (uint32_t i = 1; i < meeting->count; i++) {
        struct fth_sim_extent before = fth_sim_ranges_hull(&meeting->members[i - 1].ranges);
        struct fth_sim_extent part = fth_sim_ranges_hull(&meeting->members[i].ranges);
        if (before.bytes && part.bytes && part.offset < end_of(before))
            return true;
    }
    return false;
}

/* Whether one's part lies inside of another's that begins before it. */
static bool are_nested(const struct fth_sim_meeting *meeting)
{
    struct fth_sim_extent *parts = fth_new(meeting->count, sizeof *parts);
    uint32_t count = 0;
    for (uint32_t i = 0; i < meeting->count; i++) {
        struct fth_sim_extent part = fth_sim_ranges_hull(&meeting->members[i].ranges);
        if (part.bytes)
            parts[count++] = part;
    }
    qsort(parts, count, sizeof *parts, by_offset);
    bool nested = false;
    for (uint32_t i = 1; i < count; i++)
        nested |= end_of(parts[i]) < end_of(parts[i - 1]);
    free(parts);
    return nested;
}

/* The first rank on each node, then the second one on each, as long as more are wanted. */
static void choose_aggregators(struct fth_sim_activity *activity, struct fth_sim_phases *phases,
                               uint32_t count)
{
    const struct fth_sim_world *world = activity->process->world;
    uint32_t *on_node = fth_new(world->node_count, sizeof *on_node);
    uint32_t *turn = fth_new(count, sizeof *turn), chosen = 0;
    phases->index = fth_new(count, sizeof *phases->index);
    for (uint32_t i = 0; i < count; i++) {
        phases->index[i] = NONE;
        turn[i] = on_node[fth_sim_world_node(world, fth_sim_process_of(activity, i))]++;
    }
    for (uint32_t round = 0; chosen < phases->aggregators; round++)
        for (uint32_t i = 0; i < count && chosen < phases->aggregators; i++)
            if (turn[i] == round)
                phases->index[i] = chosen++;
    free(on_node);
    free(turn);
}

static struct fth_sim_phases *find_out(struct fth_sim_activity *activity,
                                       struct fth_sim_meeting *meeting, const struct scheme *scheme)
{
    if (meeting->phases)
        return meeting->phases;
    const struct fth_sim_world *world = activity->process->world;
    const struct fth_sim_file *file = &world->program->files[fth_sim_command(activity)->file];
    uint32_t wanted = file->cb_nodes ? file->cb_nodes : world->cluster->cb_nodes;
    uint64_t buffer = file->cb_buffer ? file->cb_buffer : world->cluster->cb_buffer;
    struct fth_sim_phases *phases = meeting->phases = fth_new(1, sizeof *phases);
    phases->buffer = buffer ? buffer : BUFFER;
    phases->aggregators = wanted && wanted < meeting->count ? wanted : meeting->count;
    phases->from = UINT64_MAX;
    for (uint32_t i = 0; i < meeting->count; i++) {
        struct fth_sim_extent hull = fth_sim_ranges_hull(&meeting->members[i].ranges);
        if (!hull.bytes)
            continue;
        if (hull.offset < phases->from)
            phases->from = hull.offset;
        if (end_of(hull) > phases->to)
            phases->to = end_of(hull);
    }
    if (phases->from > phases->to)
        phases->from = phases->to;
    phases->is_alone = !scheme->always &&
                       (!do_ranks_overlap(meeting) || (!scheme->is_romio && are_nested(meeting)));
    choose_aggregators(activity, phases, meeting->count);
    return phases;
}

struct window {
    uint64_t from, to; /* `to` 0: there is none */
};

/* The window of that number of an aggregator; the first one has most of them. */
static struct window window_of(const struct fth_sim_phases *phases, enum deal deal, uint32_t index,
                               uint64_t number)
{
    uint64_t all = phases->to - phases->from, count = phases->aggregators, buffer = phases->buffer;
    uint64_t buffers = all / buffer + (all % buffer != 0);
    uint64_t start, end; /* from the begin of all */
    if (deal == EQUALLY) {
        uint64_t share = all / count + (all % count != 0);
        end = share * (index + 1) < all ? share * (index + 1) : all;
        start = number <= share / buffer ? share * index + number * buffer : end;
    } else if (deal == BUFFERS) {
        uint64_t more = buffers % count, own = buffers / count + (index < more);
        uint64_t first = buffers / count * index + (index < more ? index : more);
        start = number < own ? (first + number) * buffer : all;
        end = all;
    } else {
        start = number <= buffers / count ? (number * count + index) * buffer : all;
        end = all;
    }
    if (start >= end)
        return (struct window){0, 0};
    end = end - start > buffer ? start + buffer : end;
    return (struct window){phases->from + start, phases->from + end};
}

static struct window window_of_rank(const struct fth_sim_phases *phases, enum deal deal,
                                    uint32_t rank, uint64_t number)
{
    uint32_t index = phases->index[rank];
    return index == NONE ? (struct window){0, 0} : window_of(phases, deal, index, number);
}

/* What anybody wants of a window: a list that the caller frees. */
static struct fth_sim_ranges wanted_in(const struct fth_sim_meeting *meeting, struct window window)
{
    struct fth_sim_extent *list = NULL;
    uint32_t count = 0, limit = 0;
    for (uint32_t i = 0; i < meeting->count; i++) {
        const struct fth_sim_ranges *ranges = &meeting->members[i].ranges;
        for (uint64_t j = fth_sim_ranges_first(ranges, window.from); j < ranges->count; j++) {
            struct fth_sim_extent range = fth_sim_range(ranges, j);
            if (range.offset >= window.to)
                break;
            uint64_t from = range.offset > window.from ? range.offset : window.from;
            uint64_t to = end_of(range) < window.to ? end_of(range) : window.to;
            list = fth_reach(list, &limit, count, sizeof *list);
            list[count++] = (struct fth_sim_extent){from, to - from};
        }
    }
    if (count)
        qsort(list, count, sizeof *list, by_offset);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!kept || list[i].offset > end_of(list[kept - 1]))
            list[kept++] = list[i];
        else if (end_of(list[i]) > end_of(list[kept - 1]))
            list[kept - 1].bytes = end_of(list[i]) - list[kept - 1].offset;
    }
    return (struct fth_sim_ranges){.count = kept, .list = list};
}

/* ---- the phases ---- */

/* Messages of a window: from those who have the data to those who want them. */
static void exchange(struct fth_sim_activity *activity, const struct fth_sim_meeting *meeting,
                     const struct scheme *scheme, uint64_t number)
{
    const struct fth_sim_phases *phases = meeting->phases;
    uint32_t rank = fth_sim_rank(activity), tag = TAG + (uint32_t)(number & 0xFFFF);
    uint64_t header = scheme->is_romio ? FTH_SIM_HEADER : 0;
    struct window mine = window_of_rank(phases, scheme->deal, rank, number);
    for (uint32_t i = 0; i < meeting->count; i++) {
        if (i == rank)
            continue;
        struct window theirs = window_of_rank(phases, scheme->deal, i, number);
        uint64_t my_bytes =
            fth_sim_ranges_between(&meeting->members[rank].ranges, theirs.from, theirs.to);
        uint64_t their_bytes =
            fth_sim_ranges_between(&meeting->members[i].ranges, mine.from, mine.to);
        uint64_t out = scheme->writes ? my_bytes : their_bytes;
        uint64_t in = scheme->writes ? their_bytes : my_bytes;
        if (out)
            fth_sim_send(activity, i, out + header, tag, FTH_SIM_MESSAGE);
        if (in)
            fth_sim_receive(activity, i, tag, FTH_SIM_MESSAGE);
    }
}

/* One's window is read or written: what is wanted, or everything from the first such byte to the
 * last one. */
static void access(struct fth_sim_activity *activity, const struct fth_sim_meeting *meeting,
                   const struct scheme *scheme, uint64_t number, bool writes)
{
    struct window window =
        window_of_rank(meeting->phases, scheme->deal, fth_sim_rank(activity), number);
    struct fth_sim_ranges wanted = wanted_in(meeting, window), ranges = wanted;
    struct fth_sim_extent hull = fth_sim_ranges_hull(&wanted);
    if (scheme->whole && wanted.count)
        ranges = (struct fth_sim_ranges){.offset = hull.offset, .bytes = hull.bytes, .count = 1};
    fth_sim_copy(activity, &ranges, writes);
    if (writes)
        fth_sim_write(activity, &ranges);
    else
        fth_sim_read(activity, &ranges);
    free((void *)(uintptr_t)wanted.list);
}

/* Whether a window has to be read before it can be written as a whole. */
static bool has_holes(struct fth_sim_activity *activity, const struct fth_sim_meeting *meeting,
                      enum deal deal, uint64_t number)
{
    struct fth_sim_ranges wanted =
        wanted_in(meeting, window_of_rank(meeting->phases, deal, fth_sim_rank(activity), number));
    free((void *)(uintptr_t)wanted.list);
    return wanted.count > 1;
}

static void call(struct fth_sim_activity *activity, enum fth_sim_verb verb, uint64_t bytes)
{
    struct fth_sim_command part = *fth_sim_command(activity);
    part.verb = verb;
    part.root = 0;
    part.bytes = bytes;
    fth_sim_call(activity, &part);
}

static int two_phases(struct fth_sim_activity *activity, int step, const struct scheme *scheme)
{
    enum { START, FIRST, SECOND, THIRD, LEAVE };
    uint64_t *state = fth_sim_state(activity), number = state[1];
    struct fth_sim_meeting *meeting = (void *)(uintptr_t)state[0];
    if (step == START) {
        state[0] = (uintptr_t)fth_sim_meeting_enter(activity);
        if (scheme->is_romio)
            call(activity, FTH_SIM_ALLGATHER, 2 * sizeof(uint64_t));
        return FIRST;
    }
    if (step == LEAVE) {
        fth_sim_meeting_leave(activity, meeting);
        return FTH_SIM_OVER;
    }
    const struct fth_sim_phases *phases = find_out(activity, meeting, scheme);
    if (phases->is_alone) {
        fth_sim_copy(activity, &fth_sim_command(activity)->ranges, scheme->writes);
        if (fth_sim_command(activity)->ranges.count)
            call(activity, scheme->writes ? FTH_SIM_FILE_WRITE : FTH_SIM_FILE_READ, 0);
        return LEAVE;
    }
    if (step == FIRST && !window_of(phases, scheme->deal, 0, number).to) {
        if (scheme->writes)
            fth_sim_written(activity, &fth_sim_command(activity)->ranges);
        return LEAVE;
    }
    if (step == FIRST && scheme->writes) {
        exchange(activity, meeting, scheme, number);
        return scheme->whole && has_holes(activity, meeting, scheme->deal, number) ? SECOND : THIRD;
    }
    if (step == FIRST || step == SECOND) {
        access(activity, meeting, scheme, number, false);
        return THIRD;
    }
    if (scheme->writes)
        access(activity, meeting, scheme, number, true);
    else
        exchange(activity, meeting, scheme, number);
    state[1]++;
    return FIRST;
}

#define TWO_PHASES(name, ...)                                                                      \
    static int read_##name(struct fth_sim_activity *activity, int step)                            \
    {                                                                                              \
        return two_phases(activity, step, &(const struct scheme){__VA_ARGS__});                    \
    }                                                                                              \
    static int write_##name(struct fth_sim_activity *activity, int step)                           \
    {                                                                                              \
        return two_phases(activity, step, &(const struct scheme){__VA_ARGS__, .writes = true});    \
    }
TWO_PHASES(romio, .deal = EQUALLY, .is_romio = true)
TWO_PHASES(always, .deal = EQUALLY, .is_romio = true, .always = true)
TWO_PHASES(whole, .deal = EQUALLY, .is_romio = true, .whole = true)
TWO_PHASES(buffers, .deal = BUFFERS)
TWO_PHASES(dealt, .deal = ONE_BY_ONE)

const struct fth_sim_method fth_sim_two_phases[] = {
    {FTH_SIM_FILE_READ_ALL, "TwoPhase", read_romio, NULL},
    {FTH_SIM_FILE_READ_ALL, "TwoPhaseAlways", read_always, NULL},
    {FTH_SIM_FILE_READ_ALL, "TwoPhaseSieving", read_whole, NULL},
    {FTH_SIM_FILE_READ_ALL, "TwoPhaseBuffers", read_buffers, NULL},
    {FTH_SIM_FILE_READ_ALL, "ContiguousTwoPhase", read_dealt, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "TwoPhase", write_romio, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "TwoPhaseAlways", write_always, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "TwoPhaseSieving", write_whole, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "TwoPhaseBuffers", write_buffers, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "ContiguousTwoPhase", write_dealt, NULL},
    {0, NULL, NULL, NULL},
};
