/* Disks without moving parts. Up to `depth` operations are looked up at the same time, each for its
 * access time; then their bytes go through a lane, one operation after the other, at the throughput
 * of their direction: so few operations are bound by the access time, many by the throughput. An
 * SSD has one lane for both directions (half duplex, as SATA), an NVMe one for each. */
#include "sim/engine/disk.h"

#include "sim/engine/disk_queue.h"

/* What the bytes of operations go through. */
struct fth_sim_lane {
    struct fth_sim_target finish;
    struct fth_sim_disk *disk;
    struct fth_sim_queue waiting;
    struct fth_sim_io *serving;
};

struct fth_sim_flash {
    struct fth_sim_queue waiting; /* for a place among those that are looked up */
    uint32_t running;             /* that have one */
    int64_t busy_since;
    struct fth_sim_lane lanes[FTH_SIM_FLUSH];
};

static void next_in_lane(struct fth_sim_lane *lane)
{
    const struct fth_sim_disk_speed *speed = &lane->disk->speed;
    lane->serving = fth_sim_queue_take(&lane->waiting);
    if (!lane->serving)
        return;
    uint64_t throughput = lane->serving->operation == FTH_SIM_WRITE && speed->write_throughput
                              ? speed->write_throughput
                              : speed->throughput;
    fth_sim_after(lane->disk->engine, fth_sim_time_of(lane->serving->bytes, throughput),
                  &lane->finish);
}

static void found(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct fth_sim_io *io = (struct fth_sim_io *)target;
    struct fth_sim_disk *disk = io->disk;
    (void)engine;
    bool has_lanes = disk->model->lanes > 1 && io->operation == FTH_SIM_WRITE;
    struct fth_sim_lane *lane = &disk->flash->lanes[has_lanes];
    fth_sim_queue_append(&lane->waiting, io);
    if (!lane->serving)
        next_in_lane(lane);
}

static void look_up(struct fth_sim_disk *disk)
{
    const struct fth_sim_disk_speed *speed = &disk->speed;
    struct fth_sim_flash *flash = disk->flash;
    uint32_t depth = speed->depth ? speed->depth : 1;
    while (flash->running < depth) {
        struct fth_sim_io *io = fth_sim_queue_take(&flash->waiting);
        if (!io)
            return;
        if (!flash->running++)
            flash->busy_since = disk->engine->now;
        int64_t access = io->operation == FTH_SIM_FLUSH ? speed->flush
                         : io->operation == FTH_SIM_WRITE && speed->write_access
                             ? speed->write_access
                             : speed->access;
        disk->operations++;
        disk->flushes += io->operation == FTH_SIM_FLUSH;
        disk->bytes += io->bytes;
        fth_sim_after(disk->engine, access, &io->found);
    }
}

static void finish(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct fth_sim_lane *lane = (struct fth_sim_lane *)target;
    struct fth_sim_disk *disk = lane->disk;
    struct fth_sim_io *io = lane->serving;
    lane->serving = NULL;
    if (!--disk->flash->running)
        disk->busy += engine->now - disk->flash->busy_since;
    io->done(engine, io);
    if (!lane->serving)
        next_in_lane(lane);
    look_up(disk);
}

void fth_sim_flash_submit(struct fth_sim_disk *disk, struct fth_sim_io *io)
{
    if (!disk->flash) {
        disk->flash = fth_sim_new(disk->engine, sizeof *disk->flash);
        for (uint32_t i = 0; i < FTH_SIM_FLUSH; i++) {
            disk->flash->lanes[i].finish.happen = finish;
            disk->flash->lanes[i].disk = disk;
        }
    }
    io->found.happen = found;
    io->disk = disk;
    fth_sim_queue_append(&disk->flash->waiting, io);
    look_up(disk);
}
