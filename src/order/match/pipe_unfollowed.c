/* Pipes and sockets whose bytes are not followed: that they may order calls, and by which means. */
#include "order/match/pipe_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                                            const struct fth_pipe_piece *piece)
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

static bool is_closed(const struct fth_pipe_piece *piece)
{
    enum fth_transfer_kind kind = piece->transfer->kind;
    return kind == FTH_TRANSFER_CLOSE || kind == FTH_TRANSFER_LEFT ||
           kind == FTH_TRANSFER_MAYBE_LEFT || kind == FTH_TRANSFER_SHUT;
}

/* Through what `by` is about, or, `as_end`, as who finds the end of that. */
static void leave_as(struct fth_matching *matching, const struct fth_pipe_piece *piece,
                     const struct fth_pipe_piece *by, bool releases, bool as_end)
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

static void leave(struct fth_matching *matching, const struct fth_pipe_piece *piece, bool releases)
{
    leave_as(matching, piece, piece, releases, false);
}

void fth_pipe_leave_maybe_left(struct fth_matching *matching, const struct fth_pipe_direction *pipe)
{
    for (size_t i = 0; i < pipe->other_count; i++) {
        const struct fth_pipe_piece *end = &pipe->others[i];
        bool any = false;
        for (size_t k = 0; fth_pipe_finds_end(end) && k < pipe->other_count; k++) {
            const struct fth_pipe_piece *other = &pipe->others[k];
            bool of_reader = end->transfer->kind == FTH_TRANSFER_BROKEN;
            if (other->transfer->kind != FTH_TRANSFER_MAYBE_LEFT ||
                !fth_pipe_began_before(other, end) || other->transfer->of_reader != of_reader)
                continue;
            leave_as(matching, other, end, true, true);
            any = true;
        }
        if (any)
            leave_as(matching, end, end, false, true);
    }
}

/* Only who finds the end may have waited until somebody has closed it. */
void fth_pipe_leave_unfollowed(struct fth_matching *matching, const struct fth_pipe_piece *piece)
{
    enum fth_transfer_kind kind = piece->transfer->kind;
    bool reads =
        kind == FTH_TRANSFER_READ || kind == FTH_TRANSFER_LOOK || fth_pipe_finds_end(piece);
    const struct fth_order_pipe *pipe = pipe_of(matching, piece);
    bool ends = !pipe || !pipe->connection || strcmp(pipe->connection, "datagrams") != 0;
    if (!is_closed(piece))
        leave(matching, piece, !reads);
    if (ends && (is_closed(piece) || fth_pipe_finds_end(piece)))
        leave_as(matching, piece, piece, !reads, true);
}

void fth_pipe_leave_waited(struct fth_matching *matching, const struct fth_pipe_direction *pipe)
{
    const struct fth_pipe_pieces *reads = &pipe->reads;
    uint64_t read_before = 0;
    for (size_t i = 0, at = 0; i < pipe->writes.count; i++) {
        const struct fth_pipe_piece *write = &pipe->writes.all[i];
        for (; at < reads->count && reads->all[at].transfer->start < write->transfer->start; at++)
            read_before += reads->all[at].transfer->bytes;
        bool waited = false;
        for (size_t k = at; k < reads->count && k - at < FTH_PIPE_MOST_READS &&
                            reads->all[k].transfer->start <= write->transfer->end;
             k++) {
            if (reads->all[k].proc == write->proc ||
                (!pipe->packets && write->most + write->size <= read_before + FTH_PIPE_ROOM))
                continue;
            leave(matching, &reads->all[k], true);
            waited = true;
        }
        if (waited)
            leave(matching, write, false);
    }
}
