/* Asynchronous I/O of POSIX: which call reported how much a control block moved. The trace keeps no
 * addresses, so a block is known by its file, descriptor, offset and bytes, as those who follow
 * operations know it (model/ranges/operation.c); of several that are alike the last one is asked
 * about first. Calls of a thread come in their order, and threads one after the other, so that
 * the end may come by before the begin: then times decide.
 *
 * Memory: a bounded number of blocks that are in flight, or whose begin has not come by. What is
 * beyond it counts as what was asked for. */
#ifndef FTH_TRACE_MERGE_AIO_H
#define FTH_TRACE_MERGE_AIO_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stdint.h>

struct fth_meaning;

struct fth_aio_block {
    int64_t slot, offset, bytes;
    uint64_t file; /* a number of whoever asks: descriptors are used again */
};

/* Whose bytes it counts as. */
struct fth_aio_owner {
    uint32_t thread;
    uint64_t number;    /* of the call */
    uint32_t sum, path; /* places in sums of a process */
    bool reads, writes;
};
#define FTH_AIO_NO_PATH UINT32_MAX

struct fth_aio {
    struct fth_aio_item *items; /* the first one is none */
    uint32_t *heads;            /* of lists, by hashes of blocks */
    uint32_t item_count, item_limit, free, used;
};

/* The block was begun. True: a call that came by already said, later than that, that it moved
 * *moved, less than its bytes. */
bool fth_aio_begin(struct fth_aio *aio, const struct fth_aio_block *block, uint64_t time,
                   const struct fth_aio_owner *owner, uint64_t *moved);
/* A call says that it moved `said`. True: that is *moved bytes of the block of *owner, less than it
 * asked for. */
bool fth_aio_end(struct fth_aio *aio, const struct fth_aio_block *block, uint64_t time,
                 uint64_t said, struct fth_aio_owner *owner, uint64_t *moved);
void fth_aio_free(struct fth_aio *aio);

/* Of the values of a call with one control block, resolved, without the file; and what one that
 * ends it says that was moved: nothing if it failed. */
void fth_aio_block_of(const struct fth_meaning *meaning, const int64_t *values,
                      struct fth_aio_block *block);
uint64_t fth_aio_moved(const struct fth_meaning *meaning, const int64_t *values);

/* The next one of a list of control blocks, without its file. False: there is none. */
enum fth_aio_operation { FTH_AIO_READ, FTH_AIO_WRITE, FTH_AIO_NOTHING };
bool fth_aio_next(struct fth_view *list, struct fth_aio_block *block,
                  enum fth_aio_operation *operation);

#endif
