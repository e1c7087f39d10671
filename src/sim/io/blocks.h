/* Inner header of the sim room: what a server keeps of files that were read, block by block. When
 * there is no room for another one, that which was wanted longest ago goes; blocks that the disk
 * still reads stay. */
#ifndef FTH_SIM_BLOCKS_H
#define FTH_SIM_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct fth_sim_request;

/* So many bytes of a request wait for a block. */
struct fth_sim_waiter {
    struct fth_sim_waiter *next;
    struct fth_sim_request *request;
    uint64_t bytes;
};

struct fth_sim_block {
    struct fth_sim_block *next;          /* of the same bucket of the table; that are free */
    struct fth_sim_block *newer, *older; /* by when they were wanted; of those that are there */
    uint64_t number;                     /* in the server's part of the file */
    uint32_t file;
    bool is_there; /* else the disk reads it */
    bool is_ahead; /* nobody has asked for it so far */
    struct fth_sim_waiter *waiters, **last_waiter;
};

struct fth_sim_blocks {
    uint64_t size;         /* bytes; 0: nothing is kept */
    uint32_t limit, ahead; /* blocks: at most, read ahead */
    struct fth_sim_block **buckets;
    uint32_t bucket_count, count;
    struct fth_sim_block *newest, *oldest, *free;
    struct fth_sim_waiter *free_waiters;
    /* What became of blocks that were asked for; of those that were read ahead. */
    uint64_t hits, misses, read_ahead, unused;
};

/* `memory`, `size`, `ahead`: bytes; memory 0: nothing is kept. */
void fth_sim_blocks_init(struct fth_sim_blocks *blocks, uint64_t memory, uint64_t size,
                         uint64_t ahead);
void fth_sim_blocks_free(struct fth_sim_blocks *blocks);

/* NULL: it is neither there nor being read. */
struct fth_sim_block *fth_sim_blocks_find(const struct fth_sim_blocks *blocks, uint32_t file,
                                          uint64_t number);
/* A block that the disk is going to read. NULL: there is no room. */
struct fth_sim_block *fth_sim_blocks_add(struct fth_sim_blocks *blocks, uint32_t file,
                                         uint64_t number);
/* Somebody asks for it. */
void fth_sim_blocks_want(struct fth_sim_blocks *blocks, struct fth_sim_block *block);
void fth_sim_blocks_wait(struct fth_sim_blocks *blocks, struct fth_sim_block *block,
                         struct fth_sim_request *request, uint64_t bytes);
/* So many bytes were written: blocks of which they are the begin are there now. */
void fth_sim_blocks_write(struct fth_sim_blocks *blocks, uint32_t file, uint64_t offset,
                          uint64_t bytes);
/* It is there now; who waited for it is called, in the order in which they came. */
void fth_sim_blocks_loaded(struct fth_sim_blocks *blocks, struct fth_sim_block *block,
                           void (*found)(struct fth_sim_request *request, uint64_t bytes));

#endif
