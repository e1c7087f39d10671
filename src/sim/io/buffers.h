/* Inner header of the sim room: burst buffers, fast disks near processes, which take what is
 * written and pass it on to the servers.
 *
 *     write   in pieces of a MiB at most: to the client's buffer, onto its disk, an
 *             acknowledgement. A write for which there is no room goes to the servers itself
 *     drain   the disk reads a piece, servers are sent it as by any client; oldest first, some at a
 *             time. When they have acknowledged it, it stays until its
 *             room is wanted
 *     read    what a buffer has comes from there, on whatever node it is; the rest from servers
 *     flush   the disk of the client's buffer is flushed; or, if that is wanted, when servers have
 *             everything of the file that is in any buffer, they flush
 *
 * Clients use the buffer of their node, or clients of neighbouring ranks share one. */
#ifndef FTH_SIM_BUFFERS_H
#define FTH_SIM_BUFFERS_H

#include "sim/engine/disk.h"
#include "sim/plan/ranges.h"

#include <stdbool.h>

struct fth_sim_activity;
struct fth_sim_chunk;
struct fth_sim_storage;

struct fth_sim_buffer {
    struct fth_sim_storage *storage;
    uint32_t nic;
    struct fth_sim_disk disk;
    uint64_t capacity, used; /* bytes; room is taken before they set out */
    uint32_t draining, most_draining;
    struct fth_sim_chunk *first, *last; /* that wait to go on to servers */
    /* Pieces that servers have, too: their bytes, the oldest first. */
    uint64_t spare;
    struct fth_sim_chunk *oldest, *newest;
    struct fth_sim_chunk *reading; /* what a read wants of it, while that is put together */
    /* What it did. */
    uint64_t written, past, peak; /* bytes; past: that it had no room for */
    uint64_t read;
};

/* How many there are, for so many processes. */
uint32_t fth_sim_buffers_count(const struct fth_sim_storage *storage, uint32_t ranks);
void fth_sim_buffers_init(struct fth_sim_storage *storage, uint32_t ranks);
void fth_sim_buffers_free(struct fth_sim_storage *storage);

/* What a step of a command starts where there are buffers. */
void fth_sim_buffers_write(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges);
void fth_sim_buffers_read(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges);
void fth_sim_buffers_flush(struct fth_sim_activity *activity);
/* Where they are memory: all of it goes to servers. */
void fth_sim_buffers_settle(struct fth_sim_storage *storage);

/* The file and the ranges of a piece on its way to servers, and where it is; one request of it is
 * over. */
uint32_t fth_sim_chunk_file(const struct fth_sim_chunk *chunk);
struct fth_sim_ranges fth_sim_chunk_ranges(const struct fth_sim_chunk *chunk);
const struct fth_sim_buffer *fth_sim_chunk_buffer(const struct fth_sim_chunk *chunk);
void fth_sim_chunk_over(struct fth_sim_chunk *chunk);

#endif
