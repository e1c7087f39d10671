/* Inner header of the sim room: a server as it is while it works: what waits in it, what is on its
 * way to the disk, and what it asks of its cache layer (cache.h). */
#ifndef FTH_SIM_SERVING_H
#define FTH_SIM_SERVING_H

#include "sim/engine/disk.h"
#include "sim/io/blocks.h"
#include "sim/io/dirty.h"
#include "sim/io/task.h"
#include "sim/plan/ranges.h"

struct fth_sim_request;
struct fth_sim_server;

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
        uint64_t *bytes_of; /* read and written, by file */
        uint64_t queued, most_queued; /* tasks that wait for the disk */
        /* sum of the instants at which they went to it, without those at which they came */
        double waited;
        int64_t closed_since, closed; /* how long it took nothing */
    } done;
};

#endif
