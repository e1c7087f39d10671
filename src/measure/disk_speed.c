/* Disks: a file of our own, read and written in records of 16 KiB to 8 MiB (Kunkel 2013, section
 * 3.6.1). Past the page cache where the file system lets us; elsewhere what is written is flushed,
 * and what is read is dropped from the cache before. */
#include "measure/disk_speed.h"

#include "measure/measure.h"

#include "measure/disk_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

/* What others need of the file system is left to them. */
#define SPARE_SHARE 20
enum { USUAL_SIZE = 1 << 30, SPARE_ROOM = 64 << 20 };
/* Making the file may take this share of the time. */
enum { MAKING_SHARE = 4 };

static int open_file(struct fth_disk_file *file, struct fth_error **error)
{
    file->is_direct = true;
    file->descriptor = fth_disk_open_unnamed(file->folder, O_DIRECT);
    if (file->descriptor < 0 && errno == EINVAL) {
        file->is_direct = false;
        file->descriptor = fth_disk_open_unnamed(file->folder, 0);
    }
    if (file->descriptor < 0)
        return fth_fail_errno(
            error,
            "cannot create a file in '%s' (--folder selects a folder on the disk to measure)",
            file->folder);
    file->directory = open(file->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file->directory < 0) {
        fth_fail_errno(error, "cannot look up names in '%s'", file->folder);
        close(file->descriptor);
        return -1;
    }
    return 0;
}

static int fail_to(const struct fth_disk_file *file, const char *what, struct fth_error **error)
{
    return fth_fail_errno(error, "cannot %s the file of %" PRIu64 " MiB in '%s'", what,
                          file->size >> 20, file->folder);
}

/* ---- one operation ---- */

static int write_bytes(const struct fth_disk_file *file, uint64_t offset, uint64_t bytes,
                       struct fth_error **error)
{
    for (uint64_t done = 0; done < bytes;) {
        ssize_t written =
            pwrite(file->descriptor, file->buffer + done, bytes - done, (off_t)(offset + done));
        if (written < 0 && errno != EINTR)
            return fail_to(file, "write", error);
        done += written > 0 ? (uint64_t)written : 0;
    }
    return 0;
}

static int write_record(const struct fth_disk_file *file, uint64_t offset, uint64_t bytes,
                        struct fth_error **error)
{
    if (write_bytes(file, offset, bytes, error))
        return -1;
    return !file->is_direct && fdatasync(file->descriptor) ? fail_to(file, "flush", error) : 0;
}

static int read_record(const struct fth_disk_file *file, uint64_t offset, uint64_t bytes,
                       struct fth_error **error)
{
    for (uint64_t done = 0; done < bytes;) {
        ssize_t got =
            pread(file->descriptor, file->buffer + done, bytes - done, (off_t)(offset + done));
        if (got == 0)
            return fth_fail(error, "the file in '%s' became shorter", file->folder);
        if (got < 0 && errno != EINTR)
            return fail_to(file, "read", error);
        done += got > 0 ? (uint64_t)got : 0;
    }
    return 0;
}

typedef int operation(const struct fth_disk_file *file, uint64_t offset, uint64_t bytes,
                      struct fth_error **error);

static int time_one(const struct fth_disk_file *file, operation *operate, uint64_t offset,
                    uint64_t bytes, double *nanoseconds, struct fth_error **error)
{
    if (!file->is_direct && operate == read_record)
        posix_fadvise(file->descriptor, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
    int64_t start = fth_measure_now();
    if (operate(file, offset, bytes, error))
        return -1;
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

/* ---- kernels ---- */

/* The record behind one that is not timed, since other kernels were elsewhere meanwhile. */
static int sequential(struct fth_disk_file *file, operation *operate, uint64_t bytes,
                      double *nanoseconds, struct fth_error **error)
{
    uint64_t place = fth_disk_place(file, bytes, bytes);
    return operate(file, place, bytes, error) ||
                   time_one(file, operate, place + bytes, bytes, nanoseconds, error)
               ? -1
               : 0;
}

static int sequential_read(struct fth_trial *trial, void *context, double *nanoseconds,
                           struct fth_error **error)
{
    return sequential(context, read_record, trial->bytes, nanoseconds, error);
}

static int sequential_write(struct fth_trial *trial, void *context, double *nanoseconds,
                            struct fth_error **error)
{
    return sequential(context, write_record, trial->bytes, nanoseconds, error);
}

static int random_read(struct fth_trial *trial, void *context, double *nanoseconds,
                       struct fth_error **error)
{
    uint64_t place = fth_disk_place(context, trial->bytes, 0);
    return time_one(context, read_record, place, trial->bytes, nanoseconds, error);
}

static int random_write(struct fth_trial *trial, void *context, double *nanoseconds,
                        struct fth_error **error)
{
    uint64_t place = fth_disk_place(context, trial->bytes, 0);
    return time_one(context, write_record, place, trial->bytes, nanoseconds, error);
}

/* Half of what is near is left out. */
static int near_read(struct fth_trial *trial, void *context, double *nanoseconds,
                     struct fth_error **error)
{
    struct fth_disk_file *file = context;
    uint64_t distance = FTH_DISK_NEAR / 2 / FTH_DISK_LEAST_RECORD * FTH_DISK_LEAST_RECORD;
    uint64_t bytes = trial->bytes, place = fth_disk_place(file, bytes, bytes + distance);
    return read_record(file, place, bytes, error) ||
                   time_one(file, read_record, place + bytes + distance, bytes, nanoseconds, error)
               ? -1
               : 0;
}

static void add_trials(struct fth_trials *trials, uint64_t size)
{
    static const struct {
        const char *name;
        fth_kernel *kernel;
    } kernels[] = {{"sequential write", sequential_write},
                   {"sequential read", sequential_read},
                   {"random write", random_write},
                   {"random read", random_read},
                   {"near read", near_read}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        for (uint64_t bytes = FTH_DISK_LEAST_RECORD;
             bytes <= FTH_DISK_MOST_RECORD && bytes <= size / 8; bytes *= 2)
            if (kernels[i].kernel != near_read || bytes < FTH_DISK_NEAR / 8)
                fth_trials_add(trials, "disk", kernels[i].name, bytes, kernels[i].kernel, 1);
}

/* The inode of a name that is not there: each time another one, so that no cache of the kernel
 * knows it. */
static int look_up(struct fth_trial *trial, void *context, double *nanoseconds,
                   struct fth_error **error)
{
    struct fth_disk_file *file = context;
    char name[64];
    struct stat status;
    (void)trial;
    (void)error;
    snprintf(name, sizeof name, ".fathom-measure-%016" PRIx64, fth_disk_draw(&file->random));
    int64_t start = fth_measure_now();
    fstatat(file->directory, name, &status, AT_SYMLINK_NOFOLLOW);
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

/* ---- the file ---- */

/* Sets how large it may become. */
static int find_size(struct fth_disk_file *file, uint64_t wanted, struct fth_error **error)
{
    struct statvfs system;
    if (fstatvfs(file->descriptor, &system))
        return fail_to(file, "allocate", error);
    uint64_t left = (uint64_t)system.f_bavail * system.f_frsize;
    uint64_t spare = (uint64_t)system.f_blocks * system.f_frsize / SPARE_SHARE;
    if (spare < SPARE_ROOM)
        spare = SPARE_ROOM;
    uint64_t room = left > spare ? left - spare : 0,
             least = wanted ? wanted : FTH_MEASURE_LEAST_SIZE;
    if (room < least)
        return fth_fail(error,
                        "too little space in '%s': %" PRIu64 " MiB are free, of which %" PRIu64
                        " MiB are left to others, and the file needs %" PRIu64
                        " MiB; %s--folder selects another folder",
                        file->folder, left >> 20, spare >> 20, least >> 20,
                        wanted ? "--size makes it smaller, " : "");
    file->size = wanted ? wanted : USUAL_SIZE;
    while (!wanted && file->size > room / 2 && file->size > FTH_MEASURE_LEAST_SIZE)
        file->size /= 2;
    return 0;
}

/* Bytes that do not compress and are not alike, so that no storage is quicker with them than with
 * others. */
static void fill(char *bytes, size_t size, uint64_t *state)
{
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = fth_disk_draw(state);
        memcpy(bytes + at, &word, sizeof word);
    }
}

/* Writes the file; stops before its full size when that would take too much of the time. */
static int make_file(struct fth_disk_file *file, int64_t budget, bool may_stop,
                     struct fth_progress *progress, struct fth_error **error)
{
    int64_t start = fth_measure_now(), now = start;
    uint64_t wanted = file->size, at = 0;
    for (; at < wanted && !(may_stop && at >= FTH_MEASURE_LEAST_SIZE && now - start > budget);
         at += FTH_DISK_MOST_RECORD) {
        fill(file->buffer, FTH_DISK_MOST_RECORD, &file->random);
        if (write_record(file, at, FTH_DISK_MOST_RECORD, error))
            return -1;
        fth_progress_add(progress, (uint64_t)(fth_measure_now() - now));
        now = fth_measure_now();
    }
    file->size = at;
    return fsync(file->descriptor) ? fail_to(file, "flush", error) : 0;
}

static void look_at(const struct fth_disk_file *file, struct fth_disk_setting *setting)
{
    static const struct {
        long magic;
        const char *name;
        bool is_memory;
    } systems[] = {{TMPFS_MAGIC, "tmpfs", true},
                   {RAMFS_MAGIC, "ramfs", true},
                   {EXT4_SUPER_MAGIC, "ext4", false},
                   {XFS_SUPER_MAGIC, "xfs", false},
                   {BTRFS_SUPER_MAGIC, "btrfs", false},
                   {NFS_SUPER_MAGIC, "nfs", false},
                   {OVERLAYFS_SUPER_MAGIC, "overlay", false},
                   {FUSE_SUPER_MAGIC, "fuse", false},
                   {0x0BD00BD0, "lustre", false},
                   {0x47504653, "gpfs", false},
                   {0x2FC12FC1, "zfs", false}};
    struct statfs system;
    setting->size = file->size;
    setting->is_direct = file->is_direct;
    snprintf(setting->system, sizeof setting->system, "unknown");
    if (fstatfs(file->descriptor, &system))
        return;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if ((long)system.f_type == systems[i].magic) {
            snprintf(setting->system, sizeof setting->system, "%s", systems[i].name);
            setting->is_memory = systems[i].is_memory;
        }
}

static int measure(struct fth_trials *trials, struct fth_disk_file *file,
                   const struct fth_disk_request *request, struct fth_disk_setting *setting,
                   int64_t budget, struct fth_progress *progress, struct fth_error **error)
{
    int64_t start = fth_measure_now();
    if (find_size(file, request->size, error) ||
        make_file(file, budget / MAKING_SHARE, !request->size, progress, error))
        return -1;
    look_at(file, setting);
    size_t first = trials->count;
    add_trials(trials, file->size);
    fth_trials_add(trials, "disk", "lookup", 0, look_up, 1);
    if (fth_disk_cache_open(file, trials, error))
        return -1;
    fth_disk_queue_open(file, trials);
    int result =
        fth_trials_run(trials, first, file, budget - (fth_measure_now() - start), progress, error);
    fth_disk_queue_close(file);
    fth_disk_cache_close(file);
    return result;
}

int fth_measure_disk(struct fth_trials *trials, const struct fth_disk_request *request,
                     struct fth_disk_setting *setting, int64_t budget,
                     struct fth_progress *progress, struct fth_error **error)
{
    struct fth_disk_file file = {.folder = request->folder, .random = 0x9E3779B97F4A7C15u};
    /* Aligned to pages, as it must be for direct access. */
    file.buffer = mmap(NULL, FTH_DISK_MOST_RECORD, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (file.buffer == MAP_FAILED)
        return fth_fail_errno(error, "out of memory for a record of %d MiB",
                              FTH_DISK_MOST_RECORD >> 20);
    int result = open_file(&file, error);
    if (!result) {
        result = measure(trials, &file, request, setting, budget, progress, error);
        close(file.descriptor);
        close(file.directory);
    }
    munmap(file.buffer, FTH_DISK_MOST_RECORD);
    return result;
}
