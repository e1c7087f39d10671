/* Where processes stand that share an open file: whoever has a descriptor from another process
 * moves it for both. Inner header of the verify room.
 *
 * A *interval* is what a thread does through the position of an open file while nobody gets in
 * between that the order would show. Where a interval begins is where the one before it has left
 * off. As long as the process that opened the file has made no other, it has one interval. */
#ifndef FTH_VERIFY_GATHER_OWNERSHIP_H
#define FTH_VERIFY_GATHER_OWNERSHIP_H

#include "fathom/access.h"
#include "order/order.h"

#define FTH_NO_INTERVAL UINT32_MAX

struct fth_ownership_interval {
    uint32_t proc, thread;
    uint32_t opening;
    struct fth_moment begin, end;
    uint64_t first_call, last_call;
    int64_t start; /* ns */
    int64_t own;   /* where its process takes it to begin, or, where that does not know, 0 */
    bool own_is_known;
    bool inherited;      /* by a descriptor that was there when the process began */
    bool may_have_moved; /* the process has made others since it opened the file */
    bool in_turns;   /* nothing but reads and writes, which the system does one after the other */
    bool placed;     /* it leaves off at `left`, wherever it began: a seek said so */
    bool lost;       /* where it leaves off is not known */
    bool by_threads; /* nor, as other threads of the process took part */
    int64_t left;    /* else that far behind where it began */
};

/* A process was made, by a call that began then. */
struct fth_birth {
    uint32_t proc; /* that made it */
    int64_t pid;
    int64_t time; /* ns */
};

struct fth_run_accesses;
struct fth_verify_semantics;
struct fth_gathering;
struct fth_runs;

/* Bytes that a call moves where a descriptor stands. */
struct fth_moving {
    const struct fth_handle *handle;
    uint32_t opening;
    uint64_t length;
    bool known;    /* its process knows where that is: at `at` */
    bool recorded; /* it is there, wherever the descriptor stood for all that is known */
    bool appends;
    /* given back: where it is, if the interval begins where its process takes it to begin */
    int64_t at;
    bool placed; /* given back: it is there wherever the interval began */
};
/* Returns the number of the interval that it is part of. */
uint32_t fth_gather_interval(struct fth_gathering *gather, const struct fth_access *access,
                             struct fth_moving *moving);
/* The call may move descriptors without an access, or make a process. */
void fth_gather_moves(struct fth_gathering *gather, const struct fth_verify_semantics *semantics,
                      const struct fth_access *access);

/* When files are known, and the order: puts accesses where descriptors stood. Of those of which
 * that is not known any more any byte may be meant. */
void fth_ownership_settle(struct fth_run_accesses *accesses, const struct fth_runs *runs,
                          uint32_t file_count);

#endif
