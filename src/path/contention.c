/* How much of the waits of ranks for one another may be for a processor: no more than the time in
 * which more ranks of the node worked than it has processors, since the rank that waits last met
 * others. A rank that waits gives its processor away: while one rank sleeps or does I/O, and the
 * others wait for it, nobody lacks one. The run is looked at in pieces of equal length, so that
 * memory does not grow with it: too many work in a piece if they do on average. */
#include "path/run_flow.h"

#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

enum { PIECES = 1 << 18 };

static bool is_on_node(const struct fth_path *path, uint32_t timeline)
{
    const struct fth_oversubscription *node = &path->contention.node;
    const char *host = fth_trace_process(path->trace, path->timelines[timeline].proc)->host;
    return node->ranks && host && strcmp(host, node->host) == 0;
}

static int64_t piece_length(const struct fth_path *path)
{
    return (path->end - path->begin) / PIECES + 1;
}

static int64_t within(const struct fth_path *path, int64_t time)
{
    time = time > path->begin ? time : path->begin;
    return (time < path->end ? time : path->end) - path->begin;
}

void fth_path_note_waiting(struct fth_path *path, uint32_t timeline, int64_t begin, int64_t end)
{
    if (!is_on_node(path, timeline))
        return;
    int64_t length = piece_length(path);
    if (!path->contention.pieces)
        path->contention.pieces = fth_new(PIECES + 1, sizeof *path->contention.pieces);
    int64_t from = within(path, begin), to = within(path, end);
    while (from < to) {
        int64_t piece = from / length, behind = (piece + 1) * length;
        behind = behind < to ? behind : to;
        FTH_ADD_SATURATING(path->contention.pieces[piece], behind - from);
        from = behind;
    }
}

void fth_path_add_up_contention(struct fth_path *path)
{
    const struct fth_oversubscription *node = &path->contention.node;
    int64_t length = piece_length(path), contended = 0;
    for (size_t i = 0; path->contention.pieces && i <= PIECES; i++) {
        double working = (double)node->ranks - (double)path->contention.pieces[i] / (double)length;
        path->contention.pieces[i] = contended;
        if (working > (double)node->processors)
            FTH_ADD_SATURATING(contended, length);
    }
}

/* ns until then in which too many worked. */
static int64_t contended_until(const struct fth_path *path, int64_t time)
{
    const int64_t *pieces = path->contention.pieces;
    int64_t length = piece_length(path), piece = within(path, time) / length;
    return pieces[piece] +
           (pieces[piece + 1] > pieces[piece] ? within(path, time) - piece * length : 0);
}

int64_t fth_path_contended(const struct fth_path *path, uint32_t timeline, int64_t since,
                           int64_t end, int64_t time)
{
    if (!path->contention.pieces || !is_on_node(path, timeline))
        return 0;
    int64_t contended = contended_until(path, end) - contended_until(path, since);
    return contended < time ? contended : time;
}
