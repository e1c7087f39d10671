/* Which calls use the position of an open file, or move it: of those that others may have, too,
 * another process with the same descriptor, or another thread. Inner header of the verify room. */
#ifndef FTH_VERIFY_GATHER_POSITION_USES_H
#define FTH_VERIFY_GATHER_POSITION_USES_H

#include "order/order.h"

/* The first of some calls that are alike. */
struct fth_position_call {
    uint64_t times; /* 0: there is none */
    uint64_t call;  /* its number in the thread */
    uint32_t chain;
    bool writes;
    int64_t start, end; /* ns */
};

/* What a thread does with one position at one moment. */
struct fth_position_use {
    uint32_t proc, thread, opening;
    struct fth_moment moment;
    bool may_be_shared; /* other processes may have the descriptor */
    bool by_stream;     /* so they may, by the stream: who opened the descriptor is not seen */
    struct fth_position_call seeks, accesses;
};

struct fth_run_accesses;
struct fth_gathering;

/* The call seeks, or accesses data where the descriptor stands. */
void fth_gather_position_use(struct fth_gathering *gather, const struct fth_access *access,
                             uint32_t opening, const struct fth_handle *handle, bool seeks);
/* There are no more calls of the process: drops the uses of positions that only one thread has. */
void fth_gather_drop_unshared(struct fth_gathering *gather);

#endif
