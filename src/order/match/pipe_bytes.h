/* One direction of a pipe or socket: which bytes stand where, and which calls that orders. Inner
 * header of the order room. */
#ifndef FTH_ORDER_MATCH_PIPE_BYTES_H
#define FTH_ORDER_MATCH_PIPE_BYTES_H

#include "order/match/match.h"

enum {
    FTH_PIPE_MOST_READS = 1000, /* that are looked at for one write */
    FTH_PIPE_ROOM = 4096        /* of a pipe, at least: a page (pipe(7)) */
};

/* A transfer, and between which places in the stream of bytes (of packets) it begins. */
struct fth_pipe_piece {
    const struct fth_order_transfer *transfer;
    uint32_t proc;
    const char *name; /* of the direction */
    uint64_t size, least, most;
};

struct fth_pipe_pieces {
    struct fth_pipe_piece *all;
    size_t count;
    bool one_thread;
    uint64_t bytes, longest;
};

/* One direction of one pipe. */
struct fth_pipe_direction {
    struct fth_pipe_pieces writes, reads;
    struct fth_pipe_piece *others; /* ends, and those that could write */
    size_t other_count;
    bool packets;
    bool is_fifo;
};

struct fth_order_operation fth_pipe_operation(const struct fth_matching *matching,
                                              const struct fth_pipe_piece *piece);

bool fth_pipe_finds_end(const struct fth_pipe_piece *piece);
bool fth_pipe_began_before(const struct fth_pipe_piece *other, const struct fth_pipe_piece *end);

/* Says why something has no order. */
void fth_pipe_report_unordered(const struct fth_matching *matching,
                               const struct fth_pipe_piece *piece, const char *why);

/* Places reads and writes, and adds the edges that follow. False: not all of its bytes could be
 * followed. */
bool fth_pipe_order(struct fth_matching *matching, struct fth_pipe_direction *pipe);

/* Which reads may have made the room that writes needed. How much there is nobody knows, but there
 * is some. */
void fth_pipe_report_room(const struct fth_matching *matching,
                          const struct fth_pipe_direction *pipe);

/* ---- what is not followed ---- */

/* Adds the transfer to what may order others. */
void fth_pipe_leave_unfollowed(struct fth_matching *matching, const struct fth_pipe_piece *piece);
/* Writes that found no room have waited for reads that began meanwhile. */
void fth_pipe_leave_waited(struct fth_matching *matching, const struct fth_pipe_direction *pipe);
/* Who may have had the pipe to its end may be whom a reader that found its end has waited for. */
void fth_pipe_leave_maybe_left(struct fth_matching *matching,
                               const struct fth_pipe_direction *pipe);

#endif
