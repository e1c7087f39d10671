/* Commands on files that all processes of a communicator carry out together.
 *
 * Two-phase I/O (del Rosario, Bordawekar and Choudhary 1993; Thakur, Gropp and Lusk 1999): the bytes from the first to the last one that anybody wants are
 * divided equally among all processes. Each goes through its part in windows of 16 MiB: those who write send it what falls in there, and it
 * writes that; or it reads, and sends everybody what is his. Nobody sends to himself, and who has nothing to do with others in a window does not wait for them
 * (Kunkel 2013, section 7.7.4). */
#include "sim/io/storage.h"
#include "sim/tree.h"

#include "base/memory.h"

#include <stdlib.h>

enum { WINDOW = 16 << 20, METADATA = 100, TAG = 40 };

static void call(struct fth_sim_activity *activity, enum fth_sim_verb verb, uint64_t bytes)
{
    struct fth_sim_command part = *fth_sim_command(activity);
    part.verb = verb;
    part.root = 0;
    part.bytes = bytes;
    fth_sim_call(activity, &part);
}

/* ---- open and close ---- */

static int none(struct fth_sim_activity *activity, int step)
{
    (void)activity;
    (void)step;
    return FTH_SIM_OVER;
}

static int barrier(struct fth_sim_activity *activity, int step)
{
    (void)step;
    call(activity, FTH_SIM_BARRIER, 0);
    return FTH_SIM_OVER;
}

/* One process fetches what there is to know of the file. */
static int open_broadcast(struct fth_sim_activity *activity, int step)
{
    enum { START, FETCH, TELL };
    switch (step) {
    case START:
        call(activity, FTH_SIM_BARRIER, 0);
        return FETCH;
    case FETCH:
        if (fth_sim_rank(activity) == 0)
            fth_sim_lookup(activity);
        return TELL;
    default:
        call(activity, FTH_SIM_BCAST, METADATA);
        return FTH_SIM_OVER;
    }
}

static int close_flush(struct fth_sim_activity *activity, int step)
{
    enum { START, FLUSH, LAST };
    if (step == FLUSH) {
        if (fth_sim_rank(activity) == 0)
            fth_sim_flush(activity);
        return LAST;
    }
    call(activity, FTH_SIM_BARRIER, 0);
    return step == START ? FLUSH : FTH_SIM_OVER;
}

/* ---- everybody for himself ---- */

static int read_direct(struct fth_sim_activity *activity, int step)
{
    (void)step;
    fth_sim_read(activity, &fth_sim_command(activity)->ranges);
    return FTH_SIM_OVER;
}

static int write_direct(struct fth_sim_activity *activity, int step)
{
    const struct fth_sim_ranges *ranges = &fth_sim_command(activity)->ranges;
    if (step == 0) {
        fth_sim_write(activity, ranges);
        return 1;
    }
    fth_sim_written(activity, ranges);
    return FTH_SIM_OVER;
}

/* ---- two phases ---- */

struct window {
    uint64_t from, to;
};

/* Which bytes process `index` has in its window of that number. */
static struct window window_of(const struct fth_sim_meeting *meeting, uint32_t index,
                               uint64_t number)
{
    uint64_t from = UINT64_MAX, to = 0;
    for (uint32_t i = 0; i < meeting->count; i++) {
        struct fth_sim_extent hull = fth_sim_ranges_hull(&meeting->members[i].ranges);
        if (!hull.bytes)
            continue;
        if (hull.offset < from)
            from = hull.offset;
        if (hull.offset + hull.bytes > to)
            to = hull.offset + hull.bytes;
    }
    if (from >= to)
        return (struct window){0, 0};
    uint64_t share = (to - from + meeting->count - 1) / meeting->count;
    uint64_t start = from + share * index, end = start + share < to ? start + share : to;
    struct window window = {start + number * WINDOW, start + (number + 1) * WINDOW};
    if (window.to > end)
        window.to = end;
    return window.from < window.to ? window : (struct window){0, 0};
}

static uint64_t windows_of(const struct fth_sim_meeting *meeting)
{
    uint64_t number = 0;
    while (window_of(meeting, 0, number).to)
        number++;
    return number;
}

static int by_offset(const void *one, const void *other)
{
    const struct fth_sim_extent *a = one, *b = other;
    return (a->offset > b->offset) - (a->offset < b->offset);
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
            uint64_t end = range.offset + range.bytes;
            if (range.offset >= window.to)
                break;
            uint64_t from = range.offset > window.from ? range.offset : window.from;
            uint64_t to = end < window.to ? end : window.to;
            list = fth_reach(list, &limit, count, sizeof *list);
            list[count++] = (struct fth_sim_extent){from, to - from};
        }
    }
    if (count)
        qsort(list, count, sizeof *list, by_offset);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = list[i].offset + list[i].bytes;
        if (kept && list[i].offset <= list[kept - 1].offset + list[kept - 1].bytes) {
            if (end > list[kept - 1].offset + list[kept - 1].bytes)
                list[kept - 1].bytes = end - list[kept - 1].offset;
        } else {
            list[kept++] = list[i];
        }
    }
    return (struct fth_sim_ranges){.count = kept, .list = list};
}

/* Messages of a window: from those who have the data to those who want them. */
static void exchange(struct fth_sim_activity *activity, const struct fth_sim_meeting *meeting,
                     uint64_t number, bool writes)
{
    uint32_t rank = fth_sim_rank(activity), tag = TAG + (uint32_t)(number & 0xFFFF);
    struct window mine = window_of(meeting, rank, number);
    for (uint32_t i = 0; i < meeting->count; i++) {
        if (i == rank)
            continue;
        struct window theirs = window_of(meeting, i, number);
        uint64_t my_bytes =
            fth_sim_ranges_between(&meeting->members[rank].ranges, theirs.from, theirs.to);
        uint64_t their_bytes =
            fth_sim_ranges_between(&meeting->members[i].ranges, mine.from, mine.to);
        uint64_t out = writes ? my_bytes : their_bytes, in = writes ? their_bytes : my_bytes;
        if (out)
            fth_sim_send(activity, i, out + FTH_SIM_HEADER, tag, FTH_SIM_MESSAGE);
        if (in)
            fth_sim_receive(activity, i, tag, FTH_SIM_MESSAGE);
    }
}

/* One's window is read or written: what is wanted, or with `whole` everything from the first such byte to the last one. */
static void access(struct fth_sim_activity *activity, const struct fth_sim_meeting *meeting,
                   uint64_t number, bool writes, bool whole)
{
    struct window window = window_of(meeting, fth_sim_rank(activity), number);
    struct fth_sim_ranges wanted = wanted_in(meeting, window), ranges = wanted;
    struct fth_sim_extent hull = fth_sim_ranges_hull(&wanted);
    if (whole && wanted.count)
        ranges = (struct fth_sim_ranges){.offset = hull.offset, .bytes = hull.bytes, .count = 1};
    if (writes)
        fth_sim_write(activity, &ranges);
    else
        fth_sim_read(activity, &ranges);
    free((void *)(uintptr_t)wanted.list);
}

/* Whether a window has to be read before it can be written as a whole. */
static bool has_holes(struct fth_sim_activity *activity, const struct fth_sim_meeting *meeting,
                      uint64_t number)
{
    struct fth_sim_ranges wanted =
        wanted_in(meeting, window_of(meeting, fth_sim_rank(activity), number));
    free((void *)(uintptr_t)wanted.list);
    return wanted.count > 1;
}

static int two_phases(struct fth_sim_activity *activity, int step, bool writes, bool whole)
{
    enum { START, FIRST, SECOND, THIRD };
    uint64_t *state = fth_sim_state(activity);
    struct fth_sim_meeting *meeting = (void *)(uintptr_t)state[0];
    if (step == START) {
        state[0] = (uintptr_t)fth_sim_meeting_enter(activity);
        /* Everybody tells from where to where he accesses. */
        call(activity, FTH_SIM_ALLGATHER, 2 * sizeof(uint64_t));
        return FIRST;
    }
    uint64_t number = state[1];
    if (step == FIRST && number == windows_of(meeting)) {
        if (writes)
            fth_sim_written(activity, &fth_sim_command(activity)->ranges);
        fth_sim_meeting_leave(activity, meeting);
        return FTH_SIM_OVER;
    }
    if (step == FIRST && writes) {
        exchange(activity, meeting, number, true);
        if (whole && has_holes(activity, meeting, number))
            return SECOND;
        return THIRD;
    }
    if (step == FIRST || step == SECOND) {
        access(activity, meeting, number, false, whole);
        return THIRD;
    }
    if (writes)
        access(activity, meeting, number, true, whole);
    else
        exchange(activity, meeting, number, false);
    state[1]++;
    return FIRST;
}

static int read_two_phases(struct fth_sim_activity *activity, int step)
{
    return two_phases(activity, step, false, false);
}
static int write_two_phases(struct fth_sim_activity *activity, int step)
{
    return two_phases(activity, step, true, false);
}
static int read_two_phases_whole(struct fth_sim_activity *activity, int step)
{
    return two_phases(activity, step, false, true);
}
static int write_two_phases_whole(struct fth_sim_activity *activity, int step)
{
    return two_phases(activity, step, true, true);
}

const struct fth_sim_method fth_sim_files_together[] = {
    {FTH_SIM_FILE_OPEN_ALL, "Broadcast", open_broadcast, NULL},
    {FTH_SIM_FILE_OPEN_ALL, "Barrier", barrier, NULL},
    {FTH_SIM_FILE_OPEN_ALL, "None", none, NULL},
    {FTH_SIM_FILE_CLOSE_ALL, "Barrier", barrier, NULL},
    {FTH_SIM_FILE_CLOSE_ALL, "Flush", close_flush, NULL},
    {FTH_SIM_FILE_CLOSE_ALL, "None", none, NULL},
    {FTH_SIM_FILE_READ_ALL, "TwoPhase", read_two_phases, NULL},
    {FTH_SIM_FILE_READ_ALL, "ContiguousTwoPhase", read_two_phases_whole, NULL},
    {FTH_SIM_FILE_READ_ALL, "Direct", read_direct, NULL},
    {FTH_SIM_FILE_READ_ALL, "None", none, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "TwoPhase", write_two_phases, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "ContiguousTwoPhase", write_two_phases_whole, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "Direct", write_direct, NULL},
    {FTH_SIM_FILE_WRITE_ALL, "None", none, NULL},
    {0, NULL, NULL, NULL},
};
