/* Disks. Which operation is next and how long it takes is the business of its model, which is
 * chosen by name; those with moving parts work on one at a time. A new model is one more row of the
 * table in disk.c.
 *
 *     SimpleDisk   each operation takes the access time and what its size takes; in the order of
 *                  arrival
 *     RefinedDisk  what starts where the last operation ended needs no seek; near it in the same
 *     file, half a turn and a seek from track
 *                  to track; else half a turn and an average seek. One file after the other, each
 *                  from lower to higher offsets.
 *
 *     SSD, NVMe    several are looked up at the same time, then their bytes are moved one after the
 *                  other; reads and writes may differ,
 *                  and with NVMe they do not wait for each other
 *
 * (The first two: Kunkel 2013, section 5.2.2.) To flush takes no time by itself; it ends when what
 * was there before has ended. */
#ifndef FTH_SIM_ENGINE_DISK_H
#define FTH_SIM_ENGINE_DISK_H

#include "sim/engine/engine.h"

struct fth_sim_disk_speed {
    uint64_t throughput;       /* bytes per second */
    int64_t access;            /* SimpleDisk, SSD, NVMe: ns per operation */
    uint64_t write_throughput; /* SSD, NVMe: 0: the same as for reads */
    int64_t write_access;      /* 0: the same */
    int64_t flush;             /* ns */
    uint32_t depth;            /* operations that are looked up at the same time; 0: one */
    int64_t track_seek;        /* RefinedDisk: ns */
    int64_t average_seek;      /* ns */
    uint32_t turns;            /* per minute */
    uint64_t short_distance;   /* bytes, below which a seek is one from track to track */
};

enum fth_sim_operation { FTH_SIM_READ, FTH_SIM_WRITE, FTH_SIM_FLUSH };

struct fth_sim_io {
    struct fth_sim_target found; /* for the disk, as the next one */
    struct fth_sim_disk *disk;
    enum fth_sim_operation operation;
    uint32_t file;
    uint64_t offset, bytes;
    void (*done)(struct fth_sim_engine *engine, struct fth_sim_io *io);
    struct fth_sim_io *next;
};

struct fth_sim_disk;

struct fth_sim_disk_model {
    const char *name;
    void (*add)(struct fth_sim_disk *disk, struct fth_sim_io *io);
    struct fth_sim_io *(*take)(struct fth_sim_disk *disk); /* the next one; NULL: there is none */
    int64_t (*duration)(struct fth_sim_disk *disk, const struct fth_sim_io *io);
    /* Instead of these three. */
    void (*submit)(struct fth_sim_disk *disk, struct fth_sim_io *io);
    uint32_t lanes; /* for that */
};

/* Operations that wait. */
struct fth_sim_queue {
    struct fth_sim_io *first, *last;
};
struct fth_sim_file_queue {
    struct fth_sim_file_queue *next;
    uint32_t file;
    struct fth_sim_queue queue;
};

struct fth_sim_disk {
    struct fth_sim_target finish;
    struct fth_sim_engine *engine;
    const struct fth_sim_disk_model *model;
    struct fth_sim_disk_speed speed;
    struct fth_sim_io *serving;
    struct fth_sim_queue waiting; /* SimpleDisk */
    struct fth_sim_io *sweep;     /* RefinedDisk: of one file, by offset, flushes last */
    struct fth_sim_file_queue *files, *last_file; /* files whose turn comes */
    struct fth_sim_file_queue *unused;
    struct fth_sim_flash *flash; /* SSD, NVMe */
    bool has_moved;
    uint32_t file; /* of the last operation, and where it ended */
    uint64_t position;
    uint64_t operations, sequential, near, far, flushes, bytes;
    int64_t busy;
};

/* NULL: no model has that name. */
const struct fth_sim_disk_model *fth_sim_disk_model(const char *name);
/* Calls `found` with the name of each model. */
void fth_sim_disk_models(void (*found)(void *context, const char *name), void *context);

void fth_sim_disk_init(struct fth_sim_disk *disk, struct fth_sim_engine *engine,
                       const struct fth_sim_disk_model *model,
                       const struct fth_sim_disk_speed *speed);

/* `io` is the disk's until `done`. */
void fth_sim_disk_submit(struct fth_sim_disk *disk, struct fth_sim_io *io);

#endif
