/* Versions of the clock of one strand: how they come, and when they go. */
#include "order/clocks/strand.h"
#include "base/memory.h"

#include <string.h>

/* Of those from place `low` on, before place `high`, the one in force right behind event `step`:
 * the first one, or the last that has begun. */
static struct fth_version *version_among(const struct fth_thread_clock *strand, size_t low,
                                         size_t high, uint32_t step)
{
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (strand->versions[middle].start <= step)
            low = middle;
        else
            high = middle;
    }
    return &strand->versions[low];
}

struct fth_version *fth_version_at(const struct fth_thread_clock *strand, uint32_t step)
{
    return version_among(strand, 0, strand->version_count, step);
}

static bool has_mark(const struct fth_thread_clock *strand, uint32_t from, uint32_t to)
{
    uint64_t limit = (uint64_t)strand->mark_room * 64;
    for (uint64_t step = from; step <= to && step < limit; step++) {
        uint64_t word = strand->marks[step / 64] >> step % 64;
        if (!word)
            step |= 63;
        else
            return step + (uint64_t)__builtin_ctzll(word) <= to;
    }
    return false;
}

/* A version that the strand has left, and that nobody waits for. */
static void drop(struct fth_clock_store *store, struct fth_thread_clock *strand,
                 struct fth_version *version)
{
    bool is_last = version + 1 == strand->versions + strand->version_count;
    uint32_t last_moment = is_last ? UINT32_MAX : version[1].start;
    if (version->clock && !has_mark(strand, version->start + 1, last_moment)) {
        fth_clock_let_go(store, version->clock);
        version->clock = NULL;
    }
}

void fth_strand_edge_begins(struct fth_thread_clock *strand, uint32_t step)
{
    strand->degrees = fth_reach(strand->degrees, &strand->degree_room, step, 1);
    if (strand->degrees[step] < FTH_ENDLESS_DEGREE)
        strand->degrees[step]++;
}

void fth_strand_forget_edges(struct fth_thread_clock *strand)
{
    if (strand->degree_room)
        memset(strand->degrees, 0, strand->degree_room);
}

/* Its newest version is over at event `step`: what is still to come of edges from it. */
void fth_strand_close_version(struct fth_thread_clock *strand, uint32_t step)
{
    struct fth_version *version = &strand->versions[strand->version_count - 1];
    uint32_t edges = 0;
    for (; strand->scanned < step && strand->scanned < strand->degree_room; strand->scanned++) {
        uint8_t degree = strand->degrees[strand->scanned];
        edges = degree == FTH_ENDLESS_DEGREE || edges > UINT32_MAX / 2
                    ? UINT32_MAX / 2 + FTH_ENDLESS_DEGREE
                    : edges + degree;
    }
    version->pending += edges;
}

void fth_strand_begin_version(struct fth_clock_store *store, struct fth_thread_clock *strand,
                              uint32_t step, struct fth_vector_clock *clock)
{
    if (strand->version_count == strand->version_room) {
        strand->version_room = strand->version_room ? strand->version_room * 3 / 2 + 1 : 8;
        strand->versions =
            fth_resize(strand->versions, strand->version_room, sizeof *strand->versions);
    }
    strand->versions[strand->version_count++] = (struct fth_version){step, 0, clock};
    if (strand->version_count > 1 && strand->versions[strand->version_count - 2].pending == 0)
        drop(store, strand, &strand->versions[strand->version_count - 2]);
}

/* An edge from this event was followed, or never will be. */
void fth_strand_edge_is_over(struct fth_clock_store *store, struct fth_thread_clock *strand,
                             uint32_t step)
{
    struct fth_version *version = fth_version_at(strand, step);
    version->pending--;
    if (version + 1 < strand->versions + strand->version_count && version->pending == 0)
        drop(store, strand, version);
}

/* What is kept of a strand when nobody waits for anything any more. */
void fth_strand_keep_marked(struct fth_clock_store *store, struct fth_thread_clock *strand)
{
    fth_strand_close_version(strand, UINT32_MAX);
    size_t kept = 0;
    for (size_t i = 0; i < strand->version_count; i++)
        drop(store, strand, &strand->versions[i]);
    for (size_t i = 0; i < strand->version_count; i++)
        if (strand->versions[i].clock)
            strand->versions[kept++] = strand->versions[i];
    strand->version_count = kept;
    strand->version_room = kept;
    strand->versions = fth_resize(strand->versions, kept + !kept, sizeof *strand->versions);
}

/* About one landmark for each version, so that few are looked at to find one. */
void fth_strand_set_landmarks(struct fth_thread_clock *strand)
{
    size_t count = strand->version_count, at = 0;
    if (!count)
        return;
    uint32_t last = strand->versions[count - 1].start;
    free(strand->landmarks);
    strand->landmark_shift = 0;
    while (last >> strand->landmark_shift > count)
        strand->landmark_shift++;
    size_t limit = (last >> strand->landmark_shift) + 1;
    strand->landmarks = fth_new(limit + 1, sizeof *strand->landmarks);
    for (size_t i = 0; i < limit; i++) {
        while (at + 1 < count && strand->versions[at + 1].start <= i << strand->landmark_shift)
            at++;
        strand->landmarks[i] = (uint32_t)at;
    }
    strand->landmarks[limit] = (uint32_t)count - 1;
}

/* As version_at, of clocks that are computed. */
const struct fth_version *fth_version_near(const struct fth_thread_clock *strand, uint32_t step)
{
    const struct fth_version *last = &strand->versions[strand->version_count - 1];
    if (step >= last->start)
        return last;
    const uint32_t *landmark = &strand->landmarks[step >> strand->landmark_shift];
    return version_among(strand, landmark[0], (size_t)landmark[1] + 1, step);
}
