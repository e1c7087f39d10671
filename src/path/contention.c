/* How much of the waits of ranks for one another may be for a processor: no more than the time in
 * which more ranks of the node worked than it has processors, since the rank that waits last met
 * others. A rank that waits gives its processor away: while one rank sleeps or does I/O, and the
 * others wait for it, nobody lacks one. */
#include "path/run_flow.h"

#include "base/memory.h"
#include "base/saturating.h"

#include <stdlib.h>
#include <string.h>

void fth_path_note_contention(struct fth_path *path, uint32_t timeline, size_t sum, int64_t since,
                              int64_t end, int64_t time)
{
    const struct fth_oversubscription *node = &path->contention.node;
    const char *host = fth_trace_process(path->trace, path->timelines[timeline].proc)->host;
    if (!node->ranks || !host || strcmp(host, node->host) != 0)
        return;
    FTH_GROW(path->contention.waits, path->contention.wait_count);
    path->contention.waits[path->contention.wait_count++] =
        (struct fth_contended_wait){sum, since, end - time, end};
}

/* From a moment on, so many wait; and how long too many had worked until then. */
struct moment {
    int64_t time;
    int change;
    int64_t contended;
    bool goes_on;
};

static int by_time(const void *one, const void *other)
{
    const struct moment *a = one, *b = other;
    return (a->time > b->time) - (a->time < b->time);
}

static struct moment *moments_of(const struct fth_path *path, size_t *count)
{
    const struct fth_oversubscription *node = &path->contention.node;
    struct moment *moments = fth_new(2 * path->contention.wait_count + 1, sizeof *moments);
    *count = 0;
    for (size_t i = 0; i < path->contention.wait_count; i++) {
        const struct fth_contended_wait *wait = &path->contention.waits[i];
        moments[(*count)++] = (struct moment){.time = wait->begin, .change = 1};
        moments[(*count)++] = (struct moment){.time = wait->end, .change = -1};
    }
    qsort(moments, *count, sizeof *moments, by_time);
    int64_t waiting = 0, contended = 0;
    for (size_t i = 0; i < *count; i++) {
        if (i && moments[i - 1].goes_on)
            FTH_ADD_SATURATING(contended, moments[i].time - moments[i - 1].time);
        waiting += moments[i].change;
        moments[i].contended = contended;
        moments[i].goes_on = (int64_t)node->ranks - waiting > (int64_t)node->processors;
    }
    return moments;
}

/* ns until then in which too many worked; before the first wait all do. */
static int64_t contended_until(const struct moment *moments, size_t count, int64_t time)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (moments[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return time - moments[0].time;
    const struct moment *last = &moments[low - 1];
    return last->contended + (last->goes_on ? time - last->time : 0);
}

void fth_path_weigh_contention(struct fth_path *path)
{
    size_t count;
    struct moment *moments = moments_of(path, &count);
    for (size_t i = 0; i < path->contention.wait_count; i++) {
        const struct fth_contended_wait *wait = &path->contention.waits[i];
        int64_t contended = contended_until(moments, count, wait->end) -
                            contended_until(moments, count, wait->since),
                time = wait->end - wait->begin;
        FTH_ADD_SATURATING(path->results.waits[wait->sum].contended,
                           contended < time ? contended : time);
    }
    free(moments);
    free(path->contention.waits);
    path->contention.waits = NULL;
    path->contention.wait_count = 0;
}
