/* What `fathom tune --live` and the processes of a run that was recorded with --tunable say to one
 * another: a page in the spill folder, which is its user's alone, mapped by all of a node. The
 * tuner writes a request: which hints files get that are opened from then on. Processes write how
 * long files were open that several ranks opened together. Plain structures of this machine, as in
 * spill.h; each word is read and written atomically. */
#ifndef FTH_TRACE_RECORD_TUNABLE_PAGE_H
#define FTH_TRACE_RECORD_TUNABLE_PAGE_H

#include <stdint.h>

#define FTH_TUNABLE_PAGE "tunable.page"
#define FTH_TUNABLE_MAGIC 0x31454c42414e5554ull /* "TUNABLE1" */

/* A request is one word, so that it is never seen in halves: its number, the number of ranks that
 * do the I/O of a collective access (cb_nodes), and KiB of the buffer of each (cb_buffer_size). 0
 * of these: as it is without a request. A later request has a higher number. */
enum {
    FTH_TUNABLE_MOST_REQUESTS = 0xffff,
    FTH_TUNABLE_MOST_NODES = 0xffff,
    FTH_TUNABLE_OPENS = 64, /* files that are remembered */
    FTH_TUNABLE_PATH = 64,  /* bytes of a path's end, with the zero */
};

static inline uint64_t fth_tunable_pack(uint64_t number, uint64_t nodes, uint64_t buffer_kib)
{
    return number << 48 | (nodes & 0xffff) << 32 | (buffer_kib & UINT32_MAX);
}
static inline uint32_t fth_tunable_number(uint64_t request)
{
    return (uint32_t)(request >> 48);
}
static inline uint32_t fth_tunable_nodes(uint64_t request)
{
    return (uint32_t)(request >> 32) & 0xffff;
}
static inline uint64_t fth_tunable_buffer(uint64_t request) /* bytes */
{
    return (request & UINT32_MAX) << 10;
}

/* A file, from where its ranks have agreed on its hints until each of them has closed it. */
#define FTH_TUNABLE_IS_MADE (UINT64_C(1) << 63) /* of `number`: the row is being made */
struct fth_tunable_open {
    uint64_t number;     /* the same on all nodes; 0: there is none */
    uint64_t image;      /* of one of its processes */
    uint64_t request;    /* that it was opened with */
    uint64_t name;       /* hash of its path without digits: files of one kind have the same */
    uint64_t begin, end; /* ns of CLOCK_MONOTONIC: of the first, and of the last process */
    uint32_t ranks;      /* of all nodes */
    uint32_t opened, closed, failed; /* processes of this node */
    char path[FTH_TUNABLE_PATH];
};

struct fth_tunable_page {
    uint64_t magic;
    uint64_t request;
    uint64_t requester; /* number of that request << 32 | pid of who made it */
    uint64_t owner;     /* pid of the `fathom tune` that is at it; 0: none */
    uint64_t opens;     /* so many by several ranks together */
    uint64_t alone;     /* by one rank */
    uint64_t apart;     /* by ranks that could not agree */
    uint64_t reserved;
    struct fth_tunable_open rows[FTH_TUNABLE_OPENS]; /* by number modulo this */
};

#endif
