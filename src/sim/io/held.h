/* Inner header of the sim room: which bytes of files are in burst buffers, and in which piece. What
 * came last counts. They are found MiB by MiB of a file, so that neither many files nor many pieces
 * make it slow. */
#ifndef FTH_SIM_HELD_H
#define FTH_SIM_HELD_H

#include "base/keyed.h"
#include "sim/plan/ranges.h"

struct fth_sim_chunk;
struct fth_sim_held_up;

/* What is in buffers of a file: pieces, and who waits until there are none. */
struct fth_sim_buffered {
    uint64_t chunks;
    struct fth_sim_held_up *first, *last;
};

/* Bytes of a file that a piece has. */
struct fth_sim_holding {
    struct fth_sim_holding *next; /* of the same MiB, by offset; that are free */
    struct fth_sim_extent extent;
    struct fth_sim_chunk *chunk;
};

/* A zeroed one is ready for use. */
struct fth_sim_held {
    struct fth_keyed firsts; /* by file and MiB */
    struct fth_sim_holding *free;
};

/* A piece has these bytes, which no other one has any more. NULL: nobody has. */
void fth_sim_held_set(struct fth_sim_held *held, uint32_t file, struct fth_sim_extent extent,
                      struct fth_sim_chunk *chunk);
/* The piece has nothing any more of what was set with this extent. */
void fth_sim_held_forget(struct fth_sim_held *held, uint32_t file, struct fth_sim_extent extent,
                         const struct fth_sim_chunk *chunk);
/* The first bytes from `extent.offset` on that one piece has, or nobody: where they end is *end, at
 * most that of the extent. */
struct fth_sim_chunk *fth_sim_held_find(struct fth_sim_held *held, uint32_t file,
                                        struct fth_sim_extent extent, uint64_t *end);
void fth_sim_held_free(struct fth_sim_held *held);

#endif
