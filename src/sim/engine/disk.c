/* What all disks have in common, and the models: see the header. */
#include "sim/engine/disk.h"

#include "sim/engine/disk_queue.h"

#include <string.h>

static int64_t transfer(const struct fth_sim_disk *disk, const struct fth_sim_io *io)
{
    return fth_sim_time_of(io->bytes, disk->speed.throughput);
}

static void simple_add(struct fth_sim_disk *disk, struct fth_sim_io *io)
{
    fth_sim_queue_append(&disk->waiting, io);
}

static struct fth_sim_io *simple_take(struct fth_sim_disk *disk)
{
    return fth_sim_queue_take(&disk->waiting);
}

static int64_t simple_duration(struct fth_sim_disk *disk, const struct fth_sim_io *io)
{
    disk->far++;
    return disk->speed.access + transfer(disk, io);
}

/* By offset, those of one offset as they came, flushes at the end. */
static void add_to_sweep(struct fth_sim_disk *disk, struct fth_sim_io *io)
{
    struct fth_sim_io **at = &disk->sweep;
    while (*at && (*at)->operation != FTH_SIM_FLUSH && (*at)->offset <= io->offset)
        at = &(*at)->next;
    if (io->operation == FTH_SIM_FLUSH)
        while (*at)
            at = &(*at)->next;
    io->next = *at;
    *at = io;
}

static struct fth_sim_file_queue *waiting_file(struct fth_sim_disk *disk, uint32_t file)
{
    for (struct fth_sim_file_queue *known = disk->files; known; known = known->next)
        if (known->file == file)
            return known;
    struct fth_sim_file_queue *added = disk->unused;
    if (added)
        disk->unused = added->next;
    else
        added = fth_sim_new(disk->engine, sizeof *added);
    *added = (struct fth_sim_file_queue){.file = file};
    if (disk->files)
        disk->last_file->next = added;
    else
        disk->files = added;
    disk->last_file = added;
    return added;
}

static void refined_add(struct fth_sim_disk *disk, struct fth_sim_io *io)
{
    bool is_ahead = disk->has_moved && io->file == disk->file && io->offset > disk->position;
    if (io->operation != FTH_SIM_FLUSH && is_ahead)
        add_to_sweep(disk, io);
    else
        fth_sim_queue_append(&waiting_file(disk, io->file)->queue, io);
}

static struct fth_sim_io *refined_take(struct fth_sim_disk *disk)
{
    struct fth_sim_file_queue *file = disk->files;
    if (!disk->sweep && file) {
        disk->files = file->next;
        for (struct fth_sim_io *io; (io = fth_sim_queue_take(&file->queue));)
            add_to_sweep(disk, io);
        file->next = disk->unused;
        disk->unused = file;
    }
    struct fth_sim_io *first = disk->sweep;
    if (first)
        disk->sweep = first->next;
    return first;
}

static int64_t refined_duration(struct fth_sim_disk *disk, const struct fth_sim_io *io)
{
    const struct fth_sim_disk_speed *speed = &disk->speed;
    int64_t half_a_turn = (int64_t)30 * 1000000000 / speed->turns;
    uint64_t distance =
        io->offset > disk->position ? io->offset - disk->position : disk->position - io->offset;
    bool is_same_file = disk->has_moved && io->file == disk->file;
    if (is_same_file && distance == 0) {
        disk->sequential++;
        return transfer(disk, io);
    }
    if (is_same_file && distance < speed->short_distance) {
        disk->near++;
        return half_a_turn + speed->track_seek + transfer(disk, io);
    }
    disk->far++;
    return half_a_turn + speed->average_seek + transfer(disk, io);
}

static const struct fth_sim_disk_model models[] = {
    {.name = "SimpleDisk", .add = simple_add, .take = simple_take, .duration = simple_duration},
    {.name = "RefinedDisk", .add = refined_add, .take = refined_take, .duration = refined_duration},
    {.name = "SSD", .submit = fth_sim_flash_submit, .lanes = 1},
    {.name = "NVMe", .submit = fth_sim_flash_submit, .lanes = 2},
};
enum { MODELS = sizeof models / sizeof *models };

const struct fth_sim_disk_model *fth_sim_disk_model(const char *name)
{
    for (size_t i = 0; i < MODELS; i++)
        if (!strcmp(models[i].name, name))
            return &models[i];
    return NULL;
}

void fth_sim_disk_models(void (*found)(void *context, const char *name), void *context)
{
    for (size_t i = 0; i < MODELS; i++)
        found(context, models[i].name);
}

static void start(struct fth_sim_disk *disk)
{
    struct fth_sim_io *io = disk->model->take(disk);
    if (!io)
        return;
    int64_t duration = 0;
    if (io->operation != FTH_SIM_FLUSH) {
        duration = disk->model->duration(disk, io);
        disk->has_moved = true;
        disk->file = io->file;
        disk->position = io->offset + io->bytes;
        disk->bytes += io->bytes;
    } else {
        disk->flushes++;
    }
    disk->operations++;
    disk->busy += duration;
    disk->serving = io;
    fth_sim_after(disk->engine, duration, &disk->finish);
}

static void finish(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct fth_sim_disk *disk = (struct fth_sim_disk *)target;
    struct fth_sim_io *io = disk->serving;
    disk->serving = NULL;
    io->done(engine, io);
    if (!disk->serving)
        start(disk);
}

void fth_sim_disk_init(struct fth_sim_disk *disk, struct fth_sim_engine *engine,
                       const struct fth_sim_disk_model *model,
                       const struct fth_sim_disk_speed *speed)
{
    *disk = (struct fth_sim_disk){
        .finish = {finish}, .engine = engine, .model = model, .speed = *speed};
}

void fth_sim_disk_submit(struct fth_sim_disk *disk, struct fth_sim_io *io)
{
    if (disk->model->submit) {
        disk->model->submit(disk, io);
        return;
    }
    disk->model->add(disk, io);
    if (!disk->serving)
        start(disk);
}
