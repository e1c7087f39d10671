/* What servers do with requests between network and disk. Tasks wait in a server; its cache layer
 * says which data may enter, and which tasks go to the disk next, several of them as one operation.
 * A new layer is one more row of the table in cache.c.
 *
 *     NoCache             in the order of arrival, reads first; a write is only taken when none is
 *                         there
 *     WriteBehind         writes are taken as long as there is memory
 *     Aggregation         tasks that touch the oldest one go with it
 *     AggregationReorder  reads and writes in turns; each time what is first in its file, with what
 *     touches it
 *     ServerDirected      the same; what is written is fetched from clients in the order of the
 *                         disk (directed.c)
 *     WriteBack           what is written stays in memory until it must go (write_back.c)
 *
 * (Kunkel 2013, section 5.4.5.) */
#ifndef FTH_SIM_CACHE_H
#define FTH_SIM_CACHE_H

#include "sim/engine/disk.h"
#include "sim/io/blocks.h"
#include "sim/io/dirty.h"
#include "sim/plan/ranges.h"

struct fth_sim_request;
struct fth_sim_server;

/* Part of a request, as it waits for the disk. */
struct fth_sim_task {
    struct fth_sim_task *next, *next_dirty;
    /* whose answer it is part of; NULL: a write or blocks, nobody waits for it */
    struct fth_sim_request *request;
    bool is_kept; /* reads: blocks for the read cache, with memory of their own */
    uint32_t file;
    uint64_t offset, bytes;
    uint64_t number; /* in the order of arrival at the server */
};

struct fth_sim_tasks {
    struct fth_sim_task *first, *last;
    uint32_t count;
};

/* Tasks that the disk does as one operation. */
struct fth_sim_batch {
    struct fth_sim_io io;
    struct fth_sim_server *server;
    struct fth_sim_task *tasks;
    struct fth_sim_request *flush; /* instead of tasks */
    struct fth_sim_batch *next;    /* of those that are free */
};

struct fth_sim_cache {
    const char *name;
    bool (*accepts)(const struct fth_sim_server *server, uint64_t bytes);
    /* Takes from what waits: into the batch, with the bytes that the disk has to work on. False:
     * nothing can be done now. */
    bool (*take)(struct fth_sim_server *server, struct fth_sim_batch *batch);
    bool overwrites; /* what waits to be written, when the same bytes are written again */
    bool fetches;    /* writes do not come by themselves */
    bool keeps;      /* what was written can be read from the read cache */
};

/* NULL: there is none of that name. */
const struct fth_sim_cache *fth_sim_cache(const char *name);
/* Their names, one after the other; NULL: no more. */
const char *fth_sim_cache_name(size_t index);

struct fth_sim_write_back;

struct fth_sim_server {
    struct fth_sim_storage *storage;
    uint32_t nic, node; /* node: of its kernel, where it is in one */
    struct fth_sim_disk disk;
    const struct fth_sim_cache *cache;
    uint64_t memory, used; /* bytes */
    uint64_t granularity;  /* of operations of the disk */
    uint32_t at_disk, most_at_disk;
    uint64_t arrived;                            /* tasks */
    struct fth_sim_tasks waiting[FTH_SIM_FLUSH]; /* reads, writes */
    struct {                                     /* of AggregationReorder and WriteBack */
        struct fth_sim_task **tasks; /* AggregationReorder: a heap; WriteBack: in this order */
        uint32_t at, end, limit;     /* phase_at: WriteBack */
        enum fth_sim_operation operation;
    } phase;
    struct {                             /* that wait */
        struct fth_sim_write_back *late; /* WriteBack: what waits; NULL: nothing so far */
        uint64_t writing;                /* writes that have entered and are not on the disk */
        struct fth_sim_dirty dirty;
        uint64_t *writing_of;                     /* the same by file */
        struct fth_sim_request *held, *last_held; /* writes with data that wait to enter */
        struct fth_sim_request *offered;          /* writes of which not all was fetched */
    } writes;
    struct fth_sim_blocks blocks;
    uint32_t fetched;                /* tasks that were asked for and are not on the disk */
    struct fth_sim_request *flushes; /* that wait for writes */
    struct fth_sim_request *lookups, *last_lookup; /* the first one is being worked on */
    struct fth_sim_target looked_up;
    struct { /* what it did */
        uint64_t requests, bytes_read, bytes_written, peak;
        uint64_t queued, most_queued; /* tasks that wait for the disk */
        /* sum of the instants at which they went to it, without those at which they came */
        double waited;
        int64_t closed_since, closed; /* how long it took nothing */
    } done;
};

/* How many tasks waited for the disk on average up to `now`, also those that still do; 0 at its
 * start. */
double fth_sim_server_queue(const struct fth_sim_server *server, int64_t now);
/* Whether there is memory for so many bytes more; if there is nothing in it always. */
bool fth_sim_server_fits(const struct fth_sim_server *server, uint64_t bytes);

#endif
