/* Writing attached bytes to the folder below. */
#include "fs/server/stage_out.h"

#include "base/memory.h"
#include "fs/protocol/buffer_file.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/file_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of the folder below on its way. */
struct target {
    char path[PATH_MAX]; /* its name when it is whole */
    struct fth_keyed *buffers; /* of clients, that are open */
    char part[PATH_MAX];       /* its name until then; "": it has its own */
    bool is_kept;              /* under that name, where it does not become whole */
    int file;
    uint8_t *piece;           /* PIECE bytes on their way */
    struct timespec times[2]; /* that it keeps, for futimens */
};

enum { PIECE = 256 << 10 };

/* When its program wrote to it last has been noted there; what comes now changes nothing. */
static int keep_times(struct target *target)
{
    struct stat status;
    target->times[0].tv_nsec = UTIME_OMIT;
    if (fstat(target->file, &status) == 0)
        target->times[1] = status.st_mtim;
    return 0;
}

static bool is_name_of(int under, const char *path, int file)
{
    struct stat named, held;
    return fstatat(under, path, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(file, &held) == 0 &&
           named.st_dev == held.st_dev && named.st_ino == held.st_ino && held.st_nlink == 1;
}

/* Takes its name away, or finds that this has been done before. Where that cannot be, or it has other
 * names as well, it is written under the one that it has. */
static void hide(struct target *target, int under)
{
    char whole[PATH_MAX];
    if (!is_name_of(under, target->path, target->file))
        return;
    if (fth_file_name_of_whole(target->path, whole)) {
        strcpy(target->part, target->path);
        strcpy(target->path, whole);
    } else if (!fth_file_name_of_part(target->path, target->part) ||
               renameat2(under, target->path, under, target->part, RENAME_NOREPLACE)) {
        *target->part = 0;
    }
    target->is_kept = *target->part != 0;
}

static int open_held(struct target *target, const struct fth_published_file *file, int under,
                     bool at_end, struct fth_error **error)
{
    target->file = fcntl(file->held, F_DUPFD_CLOEXEC, 0);
    if (target->file < 0)
        return fth_fail_errno(error, "'%s' cannot be opened again", target->path);
    if (at_end)
        hide(target, under);
    return keep_times(target);
}

static int open_target(struct target *target, const struct fth_published_file *file,
                       struct fth_keyed *buffers, int under, const char *path, bool at_end,
                       struct fth_error **error)
{
    *target = (struct target){.buffers = buffers,
                              .times = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_OMIT}}};
    snprintf(target->path, sizeof target->path, "%s", path);
    if (file->is_held)
        return open_held(target, file, under, at_end, error);
    /* a pipe of that name is refused, not waited for */
    target->file = openat(under, path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (target->file >= 0)
        return 0;
    if (errno != ENOENT)
        return fth_fail_errno(error, "'%s' cannot be opened in the folder below", path);
    if (!fth_file_name_of_part(path, target->part))
        return fth_fail(error, "the path '%s' is too long", path);
    if (!fth_file_names_make_folders(under, path))
        return fth_fail_errno(error, "the folder of '%s' cannot be made below", path);
    target->file = openat(under, target->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (target->file < 0 && errno == ENAMETOOLONG) {
        /* it has its own name from the start: the other one is longer than a name may be */
        *target->part = 0;
        target->file = openat(under, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    }
    return target->file < 0 ? fth_fail_errno(error, "'%s' cannot be made in the folder below", path)
                            : 0;
}

/* Whoever has taken the name meanwhile keeps it. */
static int name_it(const struct target *target, int under)
{
    int failed =
        renameat2(under, target->part, under, target->path, RENAME_NOREPLACE);
    return failed && errno == EINVAL ? renameat(under, target->part, under, target->path) : failed;
}

static int close_target(struct target *target, int under, bool whole, struct fth_error **error)
{
    if (target->times[1].tv_nsec != UTIME_OMIT)
        futimens(target->file, target->times); /* of somebody else's file it cannot be kept */
    int failed = close(target->file);
    if (!failed && whole && *target->part)
        failed = name_it(target, under);
    if (failed && whole)
        return fth_fail_errno(error, "'%s' cannot be ended in the folder below", target->path);
    if (!whole && *target->part && !target->is_kept)
        unlinkat(under, target->part, 0);
    return failed || !whole ? -1 : 0;
}

static int write_all(int file, const uint8_t *from, uint64_t bytes, uint64_t offset)
{
    while (bytes) {
        ssize_t count = pwrite(file, from, bytes, (off_t)offset);
        if (count < 0 && errno != EINTR)
            return -1;
        if (count > 0) {
            from += count;
            offset += (uint64_t)count;
            bytes -= (uint64_t)count;
        }
    }
    return 0;
}

static int lose(const struct target *target, const struct fth_interval *interval,
                struct fth_error **error)
{
    return fth_fail(error, "'%s': bytes %llu to %llu of client %u are lost", target->path,
                    (unsigned long long)interval->begin, (unsigned long long)interval->end,
                    interval->owner);
}

static int write_interval(const struct fth_fs_instance *instance, const struct target *target,
                          const struct fth_interval *interval, struct fth_error **error)
{
    const struct fth_buffer_file *buffer =
        fth_buffer_file_of(target->buffers, instance->folder, interval->owner);
    if (!buffer)
        return fth_fail_errno(error,
                              "'%s': the buffer of client %u, which has bytes %llu to %llu, "
                              "cannot be opened",
                              target->path, interval->owner, (unsigned long long)interval->begin,
                              (unsigned long long)interval->end);
    if (!fth_buffer_file_may_hold(buffer, interval->end - interval->begin))
        return lose(target, interval, error);
    for (uint64_t at = interval->begin; at < interval->end;) {
        uint64_t left = interval->end - at, count = left < PIECE ? left : PIECE;
        if (!fth_buffer_file_copy(buffer, interval->place + (at - interval->begin), target->piece,
                                  count))
            return lose(target, interval, error);
        if (write_all(target->file, target->piece, count, at))
            return fth_fail_errno(error, "'%s' cannot be written in the folder below",
                                  target->path);
        at += count;
    }
    return 0;
}

/* The file is as long as its last attached byte or gap says. */
static int lengthen(const struct target *target, uint64_t end, struct fth_error **error)
{
    struct stat status;
    if (fstat(target->file, &status) == 0 && (uint64_t)status.st_size < end &&
        ftruncate(target->file, (off_t)end))
        return fth_fail_errno(error, "'%s' cannot be made longer in the folder below",
                              target->path);
    return 0;
}

static bool wanted(const struct fth_interval *interval, uint32_t owner)
{
    return !(interval->state & FTH_STATE_CLEAN) && (!owner || interval->owner == owner);
}

static bool has_wanted(const struct fth_published_file *file, uint32_t owner)
{
    struct fth_interval interval;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &interval); at = interval.end)
        if (wanted(&interval, owner))
            return true;
    return false;
}

/* Its program made it longer, with a hole, than it is below. */
static bool is_short(const struct fth_published_file *file)
{
    struct stat facts;
    return file->is_held && fstat(file->held, &facts) == 0 && (uint64_t)facts.st_size < file->end;
}

static int stage_file(struct fth_published_file *file, struct fth_keyed *buffers,
                      const struct fth_fs_instance *instance, const char *path,
                      const struct fth_stage_out_of *of, struct fth_stage_out *done,
                      struct fth_error **error)
{
    struct target target;
    struct fth_interval interval;
    int failed = 0;
    if (open_target(&target, file, buffers, instance->under, path, of->at_end, error))
        return -1;
    target.piece = fth_new(PIECE, 1);
    for (uint64_t at = 0; !failed && fth_intervals_find(&file->intervals, at, &interval);
         at = interval.end)
        if (wanted(&interval, of->owner)) {
            failed = write_interval(instance, &target, &interval, error);
            done->bytes += failed ? 0 : interval.end - interval.begin;
        }
    free(target.piece);
    failed = failed || lengthen(&target, file->end, error);
    failed = close_target(&target, instance->under, !failed, error);
    done->files += !failed;
    return failed;
}

static void mark_clean(struct fth_published_file *file, uint32_t owner)
{
    struct fth_interval interval;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &interval); at = interval.end)
        if (wanted(&interval, owner)) {
            interval.state |= FTH_STATE_CLEAN;
            fth_intervals_put(&file->intervals, &interval);
        }
}

int fth_stage_out(struct fth_published *published, const struct fth_fs_instance *instance,
                  const struct fth_stage_out_of *of, struct fth_stage_out *done,
                  struct fth_error **error)
{
    struct fth_keyed buffers = {.size = sizeof(struct fth_buffer_file)};
    int failed = 0;
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        size_t length;
        const char *name = fth_published_path(published, i, &length);
        if ((!has_wanted(file, of->owner) && (of->owner || !is_short(file))) ||
            (of->path && (length != of->length || memcmp(name, of->path, length) != 0)))
            continue;
        char *path = fth_published_name(published, i);
        if (stage_file(file, &buffers, instance, path, of, done, failed ? NULL : error))
            failed = -1;
        else
            mark_clean(file, of->owner);
        free(path);
    }
    fth_buffer_file_close_all(&buffers);
    return failed;
}
