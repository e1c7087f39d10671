/* Pipes and sockets: a read comes behind the writes whose bytes it returned. Which those are
 * follows from how many bytes went in and came out before. Where several threads write, or read,
 * side by side, each call may stand at several places; only what holds at all of them is an edge.
 * And a read that found the end of a pipe comes behind all that could have written to it.
 *
 * A pipe of which something may not have been recorded orders nothing. */
#include "base/memory.h"
#include "order/match/match.h"
#include "order/match/match_holders.h"
#include "order/match/pipe_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_READS = 1000 /* that are looked at for one write */ };

/* A transfer, and between which places in the stream of bytes (of packets) it begins. */
struct piece {
    const struct fth_order_transfer *transfer;
    uint32_t proc;
    const char *name; /* of the direction */
    uint64_t size, least, most;
};

struct pieces {
    struct piece *all;
    size_t count;
    bool one_thread;
    uint64_t bytes, longest;
};

/* One direction of one pipe. */
struct pipe {
    struct pieces writes, reads;
    struct piece *others; /* ends, and those that could write */
    size_t other_count;
    bool packets;
    bool is_fifo;
};

/* ---- where each one stands ---- */

static struct fth_order_operation operation_of(const struct fth_matching *matching,
                                               const struct piece *piece)
{
    return fth_order_operation(&matching->processes[piece->proc], piece->transfer->operation);
}

static int by_start(const void *one, const void *other)
{
    const struct piece *a = one, *b = other;
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
static void place_by_time(struct pieces *pieces)
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

static void place(const struct fth_matching *matching, struct pieces *pieces, bool packets)
{
    if (!pieces->count)
        return;
    qsort(pieces->all, pieces->count, sizeof *pieces->all, by_start);
    uint32_t timeline = operation_of(matching, &pieces->all[0]).begin.timeline;
    pieces->one_thread = true;
    for (size_t i = 0; i < pieces->count; i++) {
        struct piece *piece = &pieces->all[i];
        pieces->one_thread &= operation_of(matching, piece).begin.timeline == timeline;
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

static void edge(const struct fth_matching *matching, const struct piece *write,
                 const struct piece *read)
{
    if (!write->transfer->of_library && !read->transfer->of_library)
        fth_clocks_edge(matching->clocks, operation_of(matching, write).begin,
                        operation_of(matching, read).end);
}

/* The first read, wherever it and the reads before it stand, whose end is behind this byte;
 * `reads->count`: none. */
static size_t first_behind(const struct pieces *reads, uint64_t byte)
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
static void give_to_one(const struct fth_matching *matching, const struct pipe *pipe,
                        const struct piece *write)
{
    size_t at = first_behind(&pipe->reads, write->most);
    if (at < pipe->reads.count)
        edge(matching, write, &pipe->reads.all[at]);
}

/* Reads that return a byte of the write at whichever places both are. They are sorted by start, and
 * so by the least place. False: it was read, and it is not known by whom. */
static bool give_to_some(const struct fth_matching *matching, const struct pipe *pipe,
                         const struct piece *write)
{
    const struct pieces *reads = &pipe->reads;
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
    for (size_t i = low; i < reads->count && reads->all[i].least < end && i - low < MOST_READS;
         i++) {
        const struct piece *read = &reads->all[i];
        if (read->most >= end || read->least + read->size <= write->most)
            continue;
        edge(matching, write, read);
        any = true;
    }
    return any;
}

static bool finds_end(const struct piece *piece)
{
    return piece->transfer->kind == FTH_TRANSFER_END ||
           piece->transfer->kind == FTH_TRANSFER_BROKEN;
}

static bool began_before(const struct piece *other, const struct piece *end)
{
    return other->transfer->start <= end->transfer->end;
}

/* A socket that is shut down ends there, whoever still has it open. False: it is not, or nobody
 * knows by whom. */
static bool end_of_shut(const struct fth_matching *matching, const struct pipe *pipe,
                        const struct piece *end)
{
    const struct piece *shut = NULL;
    size_t count = 0;
    for (size_t i = 0; i < pipe->other_count; i++) {
        const struct piece *other = &pipe->others[i];
        if (!began_before(other, end))
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
static bool broken_by_shut(const struct fth_matching *matching, const struct pipe *pipe,
                           const struct piece *broken)
{
    const struct piece *deaf = NULL;
    size_t count = 0;
    for (size_t i = 0; i < pipe->other_count; i++)
        if (pipe->others[i].transfer->kind == FTH_TRANSFER_DEAF &&
            began_before(&pipe->others[i], broken)) {
            deaf = &pipe->others[i];
            count++;
        }
    if (count == 1)
        edge(matching, deaf, broken);
    return count > 0;
}

/* Whoever could write (or read) had closed the pipe, or was over. By the clock, too: else there was
 * a way to close it that was not seen. */
static void end_of_pipe(const struct fth_matching *matching, const struct pipe *pipe,
                        const struct piece *end)
{
    bool broken = end->transfer->kind == FTH_TRANSFER_BROKEN;
    if (broken ? broken_by_shut(matching, pipe, end) : end_of_shut(matching, pipe, end))
        return;
    for (size_t i = 0; i < pipe->other_count; i++) {
        const struct piece *other = &pipe->others[i];
        if (!began_before(other, end) || other->transfer->of_reader != broken)
            continue;
        if (other->transfer->kind == FTH_TRANSFER_CLOSE)
            edge(matching, other, end);
        else if (other->transfer->kind == FTH_TRANSFER_LEFT && other->proc != end->proc)
            fth_match_after_end(matching, other->proc, operation_of(matching, end).end);
    }
}

/* Clocks of two nodes may differ by more than a byte takes from one to the other. */
static bool was_over_before(const struct fth_matching *matching, const struct piece *one,
                            const struct piece *other)
{
    return matching->processes[one->proc].host == matching->processes[other->proc].host &&
           one->transfer->end < other->transfer->start;
}

/* A byte is not read before it is written. What is left in a FIFO is lost when nobody has it open,
 * or another one gets its name: then nobody knows whose bytes were read. */
static bool fits(const struct fth_matching *matching, const struct pipe *pipe)
{
    const struct pieces *writes = &pipe->writes, *reads = &pipe->reads;
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

static void report_unordered(const struct fth_matching *matching, const struct piece *piece,
                             const char *why)
{
    struct fth_order_operation operation = operation_of(matching, piece);
    matching->find(matching->context, FTH_ORDER_UNORDERED, piece->proc, &operation, why);
}

/* False: not all of its bytes could be followed. */
static bool one_pipe(struct fth_matching *matching, struct pipe *pipe)
{
    place(matching, &pipe->writes, pipe->packets);
    place(matching, &pipe->reads, pipe->packets);
    if (!pipe->writes.count && !pipe->other_count)
        return true;
    if (!fits(matching, pipe)) {
        const struct piece *first = pipe->writes.count ? &pipe->writes.all[0] : &pipe->reads.all[0];
        report_unordered(matching, first,
                         pipe->is_fifo && pipe->reads.bytes < pipe->writes.bytes
                             ? "not all that was written to the FIFO was read"
                             : "not all that was written to the pipe was seen");
        return false;
    }
    const struct piece *lost = NULL;
    for (size_t i = 0; i < pipe->writes.count; i++) {
        const struct piece *write = &pipe->writes.all[i];
        if (pipe->reads.one_thread)
            give_to_one(matching, pipe, write);
        else if (!give_to_some(matching, pipe, write) && !lost)
            lost = write;
    }
    if (lost)
        report_unordered(matching, lost,
                         "several threads used the pipe at once, so the reader is unknown");
    for (size_t i = 0; i < pipe->other_count; i++)
        if (finds_end(&pipe->others[i]))
            end_of_pipe(matching, pipe, &pipe->others[i]);
    return !lost;
}

/* ---- what is not followed ---- */

/* "127.0.0.1:80", or, of a port that was drawn for the one who connects, only of which machine. */
static void put_address(char *to, size_t size, const char *address)
{
    enum { FIRST_DRAWN = 32768 };
    const char *port = strrchr(address, ':');
    bool drawn = port && strtol(port + 1, NULL, 10) >= FIRST_DRAWN;
    snprintf(to, size, "connections to %.*s", drawn ? (int)(port - address) : 200, address);
}

/* Who has it, so that others may have it too: the other end of a connection, or the thing
 * itself. */
static void put_means(char *to, size_t size, const struct fth_order_pipe *pipe, const char *name)
{
    const char *connection = pipe ? pipe->connection : NULL;
    const char *address =
        connection && strncmp(connection, "tcp ", 4) == 0 ? strstr(connection, " to ") : NULL;
    const char *place = connection ? strstr(connection, " at ") : NULL;
    if (address)
        put_address(to, size, address + 4);
    else if (connection && strcmp(connection, "datagrams") == 0)
        snprintf(to, size, "datagrams");
    else if (place)
        snprintf(to, size, "connections to %.200s", place + 4);
    else
        snprintf(to, size, "%.200s", name);
}

/* What the process knows of it; NULL: nothing, it was only open. */
static const struct fth_order_pipe *pipe_of(const struct fth_matching *matching,
                                            const struct piece *piece)
{
    const struct fth_order_operations *process = &matching->processes[piece->proc];
    enum fth_transfer_kind kind = piece->transfer->kind;
    bool of_descriptor =
        kind == FTH_TRANSFER_CLOSE || kind == FTH_TRANSFER_LEFT || kind == FTH_TRANSFER_MAYBE_LEFT;
    if (!of_descriptor)
        return &process->pipes.all[piece->transfer->pipe];
    for (uint32_t i = 0; i < process->pipes.count; i++)
        if (strcmp(process->pipes.all[i].name, piece->name) == 0)
            return &process->pipes.all[i];
    return NULL;
}

static bool is_closed(const struct piece *piece)
{
    enum fth_transfer_kind kind = piece->transfer->kind;
    return kind == FTH_TRANSFER_CLOSE || kind == FTH_TRANSFER_LEFT ||
           kind == FTH_TRANSFER_MAYBE_LEFT || kind == FTH_TRANSFER_SHUT;
}

/* Through what `by` is about, or, `as_end`, as who finds the end of that. */
static void leave_as(struct fth_matching *matching, const struct piece *piece,
                     const struct piece *by, bool releases, bool as_end)
{
    const struct fth_order_transfer *transfer = piece->transfer;
    char means[256], end[300];
    if (transfer->kind == FTH_TRANSFER_DEAF)
        return;
    put_means(means, sizeof means, pipe_of(matching, by), by->name);
    snprintf(end, sizeof end, "the end of %s", means);
    fth_match_unfollowed(matching, as_end ? end : means,
                         (struct fth_unfollowed){.proc = piece->proc,
                                                 .operation = transfer->operation,
                                                 .start = transfer->start,
                                                 .end = transfer->end,
                                                 .releases = releases,
                                                 .acquires = !releases});
}

static void leave(struct fth_matching *matching, const struct piece *piece, bool releases)
{
    leave_as(matching, piece, piece, releases, false);
}

/* Who may have had the pipe to its end may be whom a reader that found its end has waited for. */
static void leave_maybe_left(struct fth_matching *matching, const struct pipe *pipe)
{
    for (size_t i = 0; i < pipe->other_count; i++) {
        const struct piece *end = &pipe->others[i];
        bool any = false;
        for (size_t k = 0; finds_end(end) && k < pipe->other_count; k++) {
            const struct piece *other = &pipe->others[k];
            bool of_reader = end->transfer->kind == FTH_TRANSFER_BROKEN;
            if (other->transfer->kind != FTH_TRANSFER_MAYBE_LEFT || !began_before(other, end) ||
                other->transfer->of_reader != of_reader)
                continue;
            leave_as(matching, other, end, true, true);
            any = true;
        }
        if (any)
            leave_as(matching, end, end, false, true);
    }
}

/* Only who finds the end may have waited until somebody has closed it. */
static void leave_unfollowed(struct fth_matching *matching, const struct piece *piece)
{
    enum fth_transfer_kind kind = piece->transfer->kind;
    bool reads = kind == FTH_TRANSFER_READ || kind == FTH_TRANSFER_LOOK || finds_end(piece);
    const struct fth_order_pipe *pipe = pipe_of(matching, piece);
    bool ends = !pipe || !pipe->connection || strcmp(pipe->connection, "datagrams") != 0;
    if (!is_closed(piece))
        leave(matching, piece, !reads);
    if (ends && (is_closed(piece) || finds_end(piece)))
        leave_as(matching, piece, piece, !reads, true);
}

/* How much room there is nobody knows, but there is some. */
enum { ROOM = 4096 }; /* of a pipe, at least: a page (pipe(7)) */

/* How many reads began until then. */
static size_t begun_until(const struct pieces *reads, int64_t time)
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

static void report_room(const struct fth_matching *matching, const struct pipe *pipe)
{
    uint64_t room = pipe->packets ? 1 : ROOM;
    for (size_t i = 0; matching->options.made_room && i < pipe->writes.count; i++) {
        const struct piece *write = &pipe->writes.all[i];
        size_t begun = begun_until(&pipe->reads, write->transfer->end);
        const struct piece *read = begun ? &pipe->reads.all[begun - 1] : NULL;
        if (!read || write->most + write->size <= read->least + room)
            continue;
        struct fth_order_operation operation = operation_of(matching, write);
        matching->options.made_room(matching->options.message_context, operation.begin,
                                    operation.end, operation_of(matching, read).begin);
    }
}

/* A write that found no room has waited for a read that began meanwhile. */
static void leave_waited(struct fth_matching *matching, const struct pipe *pipe)
{
    const struct pieces *reads = &pipe->reads;
    uint64_t read_before = 0;
    for (size_t i = 0, at = 0; i < pipe->writes.count; i++) {
        const struct piece *write = &pipe->writes.all[i];
        for (; at < reads->count && reads->all[at].transfer->start < write->transfer->start; at++)
            read_before += reads->all[at].transfer->bytes;
        bool waited = false;
        for (size_t k = at; k < reads->count && k - at < MOST_READS &&
                            reads->all[k].transfer->start <= write->transfer->end;
             k++) {
            if (reads->all[k].proc == write->proc ||
                (!pipe->packets && write->most + write->size <= read_before + ROOM))
                continue;
            leave(matching, &reads->all[k], true);
            waited = true;
        }
        if (waited)
            leave(matching, write, false);
    }
}

/* ---- which pipe ---- */

/* A transfer and the direction of the pipe that it is about: of sockets that at which is written.
 * Or, without a transfer, that a process has this pipe. */
struct entry {
    uint32_t host;
    const char *name;
    struct piece piece;
    bool made, packets, packets_set, packets_unset, has_unseen;
};

struct entries {
    struct entry *all;
    size_t count;
    struct fth_order_transfer *ends; /* that entries point to */
};

static bool writes(const struct fth_order_transfer *transfer)
{
    return transfer->kind == FTH_TRANSFER_WRITE || transfer->kind == FTH_TRANSFER_CLOSE ||
           transfer->kind == FTH_TRANSFER_LEFT || transfer->kind == FTH_TRANSFER_MAYBE_LEFT ||
           transfer->kind == FTH_TRANSFER_SHUT || transfer->kind == FTH_TRANSFER_BROKEN;
}

static void add_entry(struct entries *entries, struct entry entry)
{
    entry.piece.name = entry.name;
    FTH_GROW(entries->all, entries->count);
    entries->all[entries->count++] = entry;
}

/* Of a pair of sockets what is read at one is what was written at the other one. */
static void add_process(struct entries *entries, const struct fth_pipe_names *names,
                        const struct fth_order_operations *process, uint32_t proc)
{
    for (uint32_t i = 0; i < process->pipes.count; i++) {
        const char *name = process->pipes.all[i].name;
        const struct fth_pipe_name *known = fth_pipe_named(names, process->host, name);
        struct entry entry = {.host = process->host,
                              .name = name,
                              .made = known || name[0] == '/',
                              .packets = known && known->packets,
                              .packets_set = process->pipes.all[i].packets_set,
                              .packets_unset = process->pipes.all[i].packets_unset,
                              .has_unseen = process->has_unseen};
        add_entry(entries, entry);
        entry.name = known ? known->other : NULL;
        entry.host = known ? known->other_host : entry.host;
        if (entry.name)
            add_entry(entries, entry);
    }
    for (size_t i = 0; i < process->pipes.transfer_count; i++) {
        const struct fth_order_transfer *transfer = &process->pipes.transfers[i];
        const char *name = process->pipes.all[transfer->pipe].name;
        const struct fth_pipe_name *known =
            writes(transfer) ? NULL : fth_pipe_named(names, process->host, name);
        add_entry(entries,
                  (struct entry){.host = known && known->other ? known->other_host : process->host,
                                 .name = known && known->other ? known->other : name,
                                 .piece = {.transfer = transfer, .proc = proc}});
    }
}

static int by_name(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* How each descriptor was closed, in the direction that it could write, and in the one that it
 * could read. */
static void add_ends(struct entries *entries, const struct fth_pipe_names *names,
                     const struct fth_matching *matching, const struct fth_trace *trace)
{
    struct fth_holders holders = fth_holders_of(matching, trace);
    entries->ends = fth_new(2 * holders.count + 1, sizeof *entries->ends);
    for (size_t i = 0; i < holders.count; i++) {
        const struct fth_holder *holder = &holders.all[i];
        const char *name = fth_holder_name(matching, holder);
        uint32_t host = matching->processes[holder->proc].host;
        struct fth_order_transfer *end = &entries->ends[2 * i];
        if (!name || fth_holder_root(matching, holder)->is_locked)
            continue;
        end[0] = end[1] = fth_holder_end(matching, trace, holder);
        end[1].of_reader = true;
        const struct fth_pipe_name *known = fth_pipe_named(names, host, name);
        struct entry entry = {
            .host = host, .name = name, .piece = {.transfer = &end[0], .proc = holder->proc}};
        if (holder->writes)
            add_entry(entries, entry);
        entry.piece.transfer = &end[1];
        bool is_socket = known && known->other;
        entry.name = is_socket ? known->other : name;
        entry.host = is_socket ? known->other_host : host;
        if (!holder->writes || is_socket)
            add_entry(entries, entry);
    }
    fth_holders_free(&holders);
}

static struct entries entries_of(const struct fth_matching *matching, const struct fth_trace *trace)
{
    struct fth_pipe_names names = fth_pipe_names_of(matching, trace);
    struct entries entries = {NULL, 0, NULL};
    for (uint32_t i = 0; i < matching->process_count; i++)
        add_process(&entries, &names, &matching->processes[i], i);
    add_ends(&entries, &names, matching, trace);
    free(names.all);
    if (entries.count)
        qsort(entries.all, entries.count, sizeof *entries.all, by_name);
    return entries;
}

static void add(struct pieces *pieces, const struct piece *piece)
{
    FTH_GROW(pieces->all, pieces->count);
    pieces->all[pieces->count++] = *piece;
}

/* Whose bytes were looked at without being taken is not followed. */
static void leave_looked_at(struct fth_matching *matching, const struct entry *entries,
                            size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count && !any; i++)
        any = entries[i].piece.transfer && entries[i].piece.transfer->kind == FTH_TRANSFER_LOOK;
    for (size_t i = 0; any && i < count; i++) {
        const struct fth_order_transfer *transfer = entries[i].piece.transfer;
        if (transfer &&
            (transfer->kind == FTH_TRANSFER_LOOK || transfer->kind == FTH_TRANSFER_WRITE))
            leave_unfollowed(matching, &entries[i].piece);
    }
}

/* Entries of one direction of a pipe. It has to be seen how it was made, and all have to be
 * recorded who may have inherited it from those that have it. */
static void sort_out(struct fth_matching *matching, const struct entry *entries, size_t count,
                     bool exact)
{
    struct pipe pipe = {.others = fth_new(count, sizeof *pipe.others),
                        .is_fifo = count && entries[0].name[0] == '/'};
    bool made = false, whole = exact, several = false, urgent = false;
    bool packets_set = false, packets_unset = false;
    for (size_t i = 0; i < count; i++) {
        bool is_pipe = !entries[i].piece.transfer;
        made |= is_pipe && entries[i].made;
        pipe.packets |= is_pipe && entries[i].packets;
        packets_set |= is_pipe && entries[i].packets_set;
        packets_unset |= is_pipe && entries[i].packets_unset;
        whole &= !is_pipe || !entries[i].has_unseen;
    }
    for (size_t i = 0; i < count; i++) {
        const struct piece *piece = &entries[i].piece;
        if (!piece->transfer)
            continue;
        bool writes = piece->transfer->kind == FTH_TRANSFER_WRITE;
        several |= piece->transfer->several || (writes && !piece->transfer->bytes);
        urgent |= piece->transfer->urgent;
        if (!piece->transfer->bytes && !pipe.packets &&
            (writes || piece->transfer->kind == FTH_TRANSFER_READ))
            continue; /* nothing, where there are no packets */
        if (writes) {
            add(&pipe.writes, piece);
        } else if (piece->transfer->kind == FTH_TRANSFER_READ) {
            add(&pipe.reads, piece);
        } else if (piece->transfer->kind != FTH_TRANSFER_LOOK) {
            pipe.others[pipe.other_count++] = *piece;
        }
    }
    /* how many of its messages each packet had is not known, nor whether an empty one was read, or
     * the end; urgent bytes overtake others; and which writes to a pipe are packets is not known if
     * that changes */
    bool mixed = pipe.packets ? several || packets_unset : packets_set;
    bool followed = made && whole && !urgent && !mixed && one_pipe(matching, &pipe);
    for (size_t i = 0; !followed && i < count; i++)
        if (entries[i].piece.transfer)
            leave_unfollowed(matching, &entries[i].piece);
    if (followed) {
        report_room(matching, &pipe);
        leave_waited(matching, &pipe);
        leave_maybe_left(matching, &pipe);
        leave_looked_at(matching, entries, count);
    }
    free(pipe.writes.all);
    free(pipe.reads.all);
    free(pipe.others);
}

void fth_match_pipes(struct fth_matching *matching, const struct fth_trace *trace)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    struct entries entries = entries_of(matching, trace);
    bool exact = !info->times_are_means && !info->time_percent;
    for (size_t i = 0; !exact && i < entries.count; i++) {
        const struct piece *piece = &entries.all[i].piece;
        if (!piece->transfer || piece->transfer->operation == FTH_NO_OPERATION)
            continue;
        report_unordered(matching, piece,
                         "times were not kept exactly, so the order of the calls is unknown");
        break;
    }
    for (size_t from = 0, to = 0; from < entries.count; from = to) {
        while (to < entries.count && by_name(&entries.all[from], &entries.all[to]) == 0)
            to++;
        sort_out(matching, entries.all + from, to - from, exact);
    }
    free(entries.all);
    free(entries.ends);
}
