/* Versions of the clock of one timeline: how they come, and when they go. */
#include "order/clocks/versions.h"
#include "base/memory.h"

#include <string.h>

/* Of those from place `low` on, before place `high`, the one in force right behind event `step`:
 * the first one, or the last that has begun. */
static struct fth_version *version_among(const struct fth_thread_clock *timeline, size_t low,
                                         size_t high, uint32_t step)
{
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (timeline->versions[middle].start <= step)
            low = middle;
        else
            high = middle;
    }
    return &timeline->versions[low];
}

struct fth_version *fth_version_at(const struct fth_thread_clock *timeline, uint32_t step)
{
    return version_among(timeline, 0, timeline->version_count, step);
}

static bool has_mark(const struct fth_thread_clock *timeline, uint32_t from, uint32_t to)
{
    uint64_t limit = (uint64_t)timeline->mark_room * 64;
    for (uint64_t step = from; step <= to && step < limit; step++) {
        uint64_t word = timeline->marks[step / 64] >> step % 64;
        if (!word)
            step |= 63;
        else
            return step + (uint64_t)__builtin_ctzll(word) <= to;
    }
    return false;
}

/* A version that the timeline has left, and that nobody waits for. */
static void drop(struct fth_clock_store *store, struct fth_thread_clock *timeline,
                 struct fth_version *version)
{
    bool is_last = version + 1 == timeline->versions + timeline->version_count;
    uint32_t last_moment = is_last ? UINT32_MAX : version[1].start;
    if (version->clock && !has_mark(timeline, version->start + 1, last_moment)) {
        fth_clock_let_go(store, version->clock);
        version->clock = NULL;
        timeline->dropped++;
    }
}

/* Of those that were dropped nobody asks: when they are many, the others move together. */
static void forget_dropped(struct fth_thread_clock *timeline)
{
    enum { MANY = 64 };
    size_t kept = 0;
    if (timeline->dropped < MANY || timeline->dropped < timeline->version_count / 2)
        return;
    for (size_t i = 0; i < timeline->version_count; i++)
        if (timeline->versions[i].clock)
            timeline->versions[kept++] = timeline->versions[i];
    timeline->version_count = kept;
    timeline->dropped = 0;
}

void fth_timeline_edge_begins(struct fth_thread_clock *timeline, uint32_t step)
{
    timeline->degrees = fth_reach(timeline->degrees, &timeline->degree_room, step, 1);
    if (timeline->degrees[step] < FTH_ENDLESS_DEGREE)
        timeline->degrees[step]++;
}

void fth_timeline_forget_edges(struct fth_thread_clock *timeline)
{
    if (timeline->degree_room)
        memset(timeline->degrees, 0, timeline->degree_room);
}

/* Its newest version is over at event `step`: what is still to come of edges from it. */
void fth_timeline_close_version(struct fth_thread_clock *timeline, uint32_t step)
{
    struct fth_version *version = &timeline->versions[timeline->version_count - 1];
    uint32_t edges = 0;
    for (; timeline->scanned < step && timeline->scanned < timeline->degree_room;
         timeline->scanned++) {
        uint8_t degree = timeline->degrees[timeline->scanned];
        edges = degree == FTH_ENDLESS_DEGREE || edges > UINT32_MAX / 2
                    ? UINT32_MAX / 2 + FTH_ENDLESS_DEGREE
                    : edges + degree;
    }
    version->pending += edges;
}

void fth_timeline_begin_version(struct fth_clock_store *store, struct fth_thread_clock *timeline,
                                uint32_t step, struct fth_vector_clock *clock)
{
    if (timeline->version_count == timeline->version_room) {
        timeline->version_room = timeline->version_room ? timeline->version_room * 3 / 2 + 1 : 8;
        timeline->versions =
            fth_resize(timeline->versions, timeline->version_room, sizeof *timeline->versions);
    }
    timeline->versions[timeline->version_count++] = (struct fth_version){step, 0, clock};
    if (timeline->version_count > 1 && timeline->versions[timeline->version_count - 2].pending == 0)
        drop(store, timeline, &timeline->versions[timeline->version_count - 2]);
    forget_dropped(timeline);
}

/* An edge from this event was followed, or never will be. */
void fth_timeline_edge_is_over(struct fth_clock_store *store, struct fth_thread_clock *timeline,
                               uint32_t step)
{
    struct fth_version *version = fth_version_at(timeline, step);
    version->pending--;
    if (version + 1 < timeline->versions + timeline->version_count && version->pending == 0)
        drop(store, timeline, version);
}

/* What is kept of a timeline when nobody waits for anything any more. */
void fth_timeline_keep_marked(struct fth_clock_store *store, struct fth_thread_clock *timeline)
{
    fth_timeline_close_version(timeline, UINT32_MAX);
    size_t kept = 0;
    for (size_t i = 0; i < timeline->version_count; i++)
        drop(store, timeline, &timeline->versions[i]);
    for (size_t i = 0; i < timeline->version_count; i++)
        if (timeline->versions[i].clock)
            timeline->versions[kept++] = timeline->versions[i];
    timeline->version_count = kept;
    timeline->version_room = kept;
    timeline->dropped = 0;
    timeline->versions = fth_resize(timeline->versions, kept + !kept, sizeof *timeline->versions);
}

/* About one landmark for each version, so that few are looked at to find one. */
void fth_timeline_set_landmarks(struct fth_thread_clock *timeline)
{
    size_t count = timeline->version_count, at = 0;
    if (!count)
        return;
    uint32_t last = timeline->versions[count - 1].start;
    free(timeline->landmarks);
    timeline->landmark_shift = 0;
    while (last >> timeline->landmark_shift > count)
        timeline->landmark_shift++;
    size_t limit = (last >> timeline->landmark_shift) + 1;
    timeline->landmarks = fth_new(limit + 1, sizeof *timeline->landmarks);
    for (size_t i = 0; i < limit; i++) {
        while (at + 1 < count && timeline->versions[at + 1].start <= i << timeline->landmark_shift)
            at++;
        timeline->landmarks[i] = (uint32_t)at;
    }
    timeline->landmarks[limit] = (uint32_t)count - 1;
}

/* As version_at, of clocks that are computed. */
const struct fth_version *fth_version_near(const struct fth_thread_clock *timeline, uint32_t step)
{
    const struct fth_version *last = &timeline->versions[timeline->version_count - 1];
    if (step >= last->start)
        return last;
    const uint32_t *landmark = &timeline->landmarks[step >> timeline->landmark_shift];
    return version_among(timeline, landmark[0], (size_t)landmark[1] + 1, step);
}
