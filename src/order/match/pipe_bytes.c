/* A read comes behind the writes whose bytes it returned. Which those are follows from how many
 * bytes went in and came out before. Where several threads write, or read, side by side, each call
 * may stand at several places; only what holds at all of them is an edge. And a read that found the
 * end of a pipe comes behind all that could have written to it. */
#include "order/match/pipe_bytes.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- where each one stands ---- */

struct fth_order_operation fth_pipe_operation(const struct fth_matching *matching,
                                              const struct fth_pipe_piece *piece)
{
    return fth_order_operation(&matching->processes[piece->proc], piece->transfer->operation);
}

static int by_start(const void *one, const void *other)
{
    const struct fth_pipe_piece *a = one, *b = other;
    if (a->transfer->start != b->transfer->start)
        return a->transfer->start < b->transfer->start ? -1 : 1;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    return (a->transfer->operation > b->transfer->operation) -
           (a->transfer->operation < b->transfer->operation);
}

static int by_time(const void *one, const void *other)
{
    const int64_t *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

struct ended {
    int64_t end;
    uint64_t bytes;
};

/* Before each one are those that had ended when it began, and at most those that began before it
 * ended. */
static void place_by_time(struct fth_pipe_pieces *pieces)
{
    struct ended *ended = fth_new(pieces->count + 1, sizeof *ended);
    uint64_t before = 0;
    for (size_t i = 0; i < pieces->count; i++)
        ended[i] = (struct ended){pieces->all[i].transfer->end, pieces->all[i].size};
    qsort(ended, pieces->count, sizeof *ended, by_time);
    for (size_t i = 0, at = 0; i < pieces->count; i++) {
        for (; at < pieces->count && ended[at].end < pieces->all[i].transfer->start; at++)
            before += ended[at].bytes;
        pieces->all[i].least = before;
    }
    before = 0;
    for (size_t i = 0; i < pieces->count; i++)
        ended[i] = (struct ended){pieces->all[i].transfer->end, i};
    qsort(ended, pieces->count, sizeof *ended, by_time);
    for (size_t i = 0, at = 0; i < pieces->count; i++) {
        size_t k = (size_t)ended[i].bytes;
        for (; at < pieces->count && pieces->all[at].transfer->start <= ended[i].end; at++)
            before += pieces->all[at].size;
        pieces->all[k].most = before - pieces->all[k].size;
    }
    free(ended);
}

static void place(const struct fth_matching *matching, struct fth_pipe_pieces *pieces, bool packets)
{
    if (!pieces->count)
        return;
    qsort(pieces->all, pieces->count, sizeof *pieces->all, by_start);
    uint32_t timeline = fth_pipe_operation(matching, &pieces->all[0]).begin.timeline;
    pieces->one_thread = true;
    for (size_t i = 0; i < pieces->count; i++) {
        struct fth_pipe_piece *piece = &pieces->all[i];
        pieces->one_thread &= fth_pipe_operation(matching, piece).begin.timeline == timeline;
        piece->size = packets ? 1 : piece->transfer->bytes;
        piece->least = piece->most = pieces->bytes;
        pieces->bytes += piece->size;
        if (piece->size > pieces->longest)
            pieces->longest = piece->size;
    }
    if (!pieces->one_thread)
        place_by_time(pieces);
}

/* ---- edges ---- */

static void edge(const struct fth_matching *matching, const struct fth_pipe_piece *write,
                 const struct fth_pipe_piece *read)
{
    if (!write->transfer->of_library && !read->transfer->of_library)
        fth_clocks_edge(matching->clocks, fth_pipe_operation(matching, write).begin,
                        fth_pipe_operation(matching, read).end);
}

/* The first read, wherever it and the reads before it stand, whose end is behind this byte;
 * `reads->count`: none. */
static size_t first_behind(const struct fth_pipe_pieces *reads, uint64_t byte)
{
    size_t low = 0, high = reads->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reads->all[middle].least + reads->all[middle].size <= byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Who reads alone has the first byte of a write at the latest with the read that goes beyond it. */
static void give_to_one(const struct fth_matching *matching, const struct fth_pipe_direction *pipe,
                        const struct fth_pipe_piece *write)
{
    size_t at = first_behind(&pipe->reads, write->most);
    if (at < pipe->reads.count)
        edge(matching, write, &pipe->reads.all[at]);
}

/* Reads that return a byte of the write at whichever places both are. They are sorted by start, and
 * so by the least place. False: it was read, and it is not known by whom. */
static bool give_to_some(const struct fth_matching *matching, const struct fth_pipe_direction *pipe,
                         const struct fth_pipe_piece *write)
{
    const struct fth_pipe_pieces *reads = &pipe->reads;
    uint64_t end = write->least + write->size;
    uint64_t from = write->most > reads->longest ? write->most - reads->longest : 0;
    size_t low = 0, high = reads->count;
    bool any = write->most >= reads->bytes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reads->all[middle].least < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low;
         i < reads->count && reads->all[i].least < end && i - low < FTH_PIPE_MOST_READS; i++) {
        const struct fth_pipe_piece *read = &reads->all[i];
        if (read->most >= end || read->least + read->size <= write->most)
            continue;
        edge(matching, write, read);
        any = true;
    }
    return any;
}

bool fth_pipe_finds_end(const struct fth_pipe_piece *piece)
{
    return piece->transfer->kind == FTH_TRANSFER_END ||
           piece->transfer->kind == FTH_TRANSFER_BROKEN;
}

bool fth_pipe_began_before(const struct fth_pipe_piece *other, const struct fth_pipe_piece *end)
{
    return other->transfer->start <= end->transfer->end;
}

/* A socket that is shut down ends there, whoever still has it open. False: it is not, or nobody
 * knows by whom. */
static bool end_of_shut(const struct fth_matching *matching, const struct fth_pipe_direction *pipe,
                        const struct fth_pipe_piece *end)
{
    const struct fth_pipe_piece *shut = NULL;
    size_t count = 0;
    for (size_t i = 0; i < pipe->other_count; i++) {
        const struct fth_pipe_piece *other = &pipe->others[i];
        if (!fth_pipe_began_before(other, end))
            continue;
        if (other->transfer->kind == FTH_TRANSFER_DEAF)
            return true; /* whoever reads has made the end */
        if (other->transfer->kind != FTH_TRANSFER_SHUT)
            continue;
        shut = other;
        count++;
    }
    if (count == 1)
        edge(matching, shut, end);
    return count > 0;
}

/* A write that finds that nobody reads any more comes behind the call that shut that down, if there
 * is one. */
static bool broken_by_shut(const struct fth_matching *matching,
                           const struct fth_pipe_direction *pipe,
                           const struct fth_pipe_piece *broken)
{
    const struct fth_pipe_piece *deaf = NULL;
    size_t count = 0;
    for (size_t i = 0; i < pipe->other_count; i++)
        if (pipe->others[i].transfer->kind == FTH_TRANSFER_DEAF &&
            fth_pipe_began_before(&pipe->others[i], broken)) {
            deaf = &pipe->others[i];
            count++;
        }
    if (count == 1)
        edge(matching, deaf, broken);
    return count > 0;
}

static void report_end(const struct fth_matching *matching, const struct fth_pipe_piece *holder,
                       const struct fth_pipe_piece *end)
{
    const struct fth_order_pipe_end found = {.holder = holder->proc,
                                             .reader = end->proc,
                                             .closed = holder->transfer->start,
                                             .inherited = holder->transfer->inherited,
                                             .pipe = holder->name};
    if (matching->options.pipe_ended && end->transfer->kind == FTH_TRANSFER_END &&
        holder->proc != end->proc)
        matching->options.pipe_ended(matching->options.message_context, &found);
}

/* Whoever could write (or read) had closed the pipe, or was over. By the clock, too: else there was
 * a way to close it that was not seen. */
static void end_of_pipe(const struct fth_matching *matching, const struct fth_pipe_direction *pipe,
                        const struct fth_pipe_piece *end)
{
    bool broken = end->transfer->kind == FTH_TRANSFER_BROKEN;
    if (broken ? broken_by_shut(matching, pipe, end) : end_of_shut(matching, pipe, end))
        return;
    for (size_t i = 0; i < pipe->other_count; i++) {
        const struct fth_pipe_piece *other = &pipe->others[i];
        if (!fth_pipe_began_before(other, end) || other->transfer->of_reader != broken)
            continue;
        if (other->transfer->kind != FTH_TRANSFER_MAYBE_LEFT)
            report_end(matching, other, end);
        if (other->transfer->kind == FTH_TRANSFER_CLOSE)
            edge(matching, other, end);
        else if (other->transfer->kind == FTH_TRANSFER_LEFT && other->proc != end->proc)
            fth_match_after_end(matching, other->proc, fth_pipe_operation(matching, end).end);
    }
}

/* Clocks of two nodes may differ by more than a byte takes from one to the other. */
static bool was_over_before(const struct fth_matching *matching, const struct fth_pipe_piece *one,
                            const struct fth_pipe_piece *other)
{
    return matching->processes[one->proc].host == matching->processes[other->proc].host &&
           one->transfer->end < other->transfer->start;
}

/* A byte is not read before it is written. What is left in a FIFO is lost when nobody has it open,
 * or another one gets its name: then nobody knows whose bytes were read. */
static bool fits(const struct fth_matching *matching, const struct fth_pipe_direction *pipe)
{
    const struct fth_pipe_pieces *writes = &pipe->writes, *reads = &pipe->reads;
    if (reads->bytes > writes->bytes ||
        (pipe->is_fifo && reads->count && reads->bytes < writes->bytes))
        return false;
    for (size_t i = 0; i < writes->count; i++) {
        size_t at = first_behind(reads, writes->all[i].most);
        if (reads->one_thread && at < reads->count &&
            was_over_before(matching, &reads->all[at], &writes->all[i]))
            return false;
    }
    return true;
}

void fth_pipe_report_unordered(const struct fth_matching *matching,
                               const struct fth_pipe_piece *piece, const char *why)
{
    struct fth_order_operation operation = fth_pipe_operation(matching, piece);
    matching->find(matching->context, FTH_ORDER_UNORDERED, piece->proc, &operation, why);
}

bool fth_pipe_order(struct fth_matching *matching, struct fth_pipe_direction *pipe)
{
    place(matching, &pipe->writes, pipe->packets);
    place(matching, &pipe->reads, pipe->packets);
    if (!pipe->writes.count && !pipe->other_count)
        return true;
    if (!fits(matching, pipe)) {
        const struct fth_pipe_piece *first =
            pipe->writes.count ? &pipe->writes.all[0] : &pipe->reads.all[0];
        fth_pipe_report_unordered(matching, first,
                                  pipe->is_fifo && pipe->reads.bytes < pipe->writes.bytes
                                      ? "not all that was written to the FIFO was read"
                                      : "not all that was written to the pipe was seen");
        return false;
    }
    const struct fth_pipe_piece *lost = NULL;
    for (size_t i = 0; i < pipe->writes.count; i++) {
        const struct fth_pipe_piece *write = &pipe->writes.all[i];
        if (pipe->reads.one_thread)
            give_to_one(matching, pipe, write);
        else if (!give_to_some(matching, pipe, write) && !lost)
            lost = write;
    }
    if (lost)
        fth_pipe_report_unordered(
            matching, lost, "several threads used the pipe at once, so the reader is unknown");
    for (size_t i = 0; i < pipe->other_count; i++)
        if (fth_pipe_finds_end(&pipe->others[i]))
            end_of_pipe(matching, pipe, &pipe->others[i]);
    return !lost;
}

/* How many reads began until then. */
static size_t begun_until(const struct fth_pipe_pieces *reads, int64_t time)
{
    size_t low = 0, high = reads->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reads->all[middle].transfer->start <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last of the first so many reads without which there need not have been room. One that began
 * before the write did is only looked at if none began meanwhile. NULL: there is none. */
static const struct fth_pipe_piece *last_needed(const struct fth_pipe_direction *pipe,
                                                const struct fth_pipe_piece *write, size_t begun,
                                                uint64_t room)
{
    const struct fth_pipe_piece *read = &pipe->reads.all[begun - 1];
    while (write->most + write->size <= read->least + room) {
        if (read == pipe->reads.all || read[-1].transfer->start <= write->transfer->start)
            return NULL;
        read--;
    }
    return read;
}

void fth_pipe_report_room(const struct fth_matching *matching,
                          const struct fth_pipe_direction *pipe)
{
    uint64_t room = pipe->packets ? 1 : FTH_PIPE_ROOM;
    for (size_t i = 0; matching->options.made_room && i < pipe->writes.count; i++) {
        const struct fth_pipe_piece *write = &pipe->writes.all[i];
        size_t begun = begun_until(&pipe->reads, write->transfer->end);
        const struct fth_pipe_piece *read = begun ? last_needed(pipe, write, begun, room) : NULL;
        if (!read)
            continue;
        struct fth_order_operation operation = fth_pipe_operation(matching, write);
        matching->options.made_room(matching->options.message_context, operation.begin,
                                    operation.end, fth_pipe_operation(matching, read).begin);
    }
}
