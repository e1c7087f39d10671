/* Writing attached bytes into one file of the folder below. */
#include "fs/server/stage_target.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/server/beats.h"
#include "fs/server/hidden_names.h"
#include "fs/server/published_held.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 256 << 10 };

/* When its program wrote to it last has been noted there; what comes now changes nothing. */
static int keep_times(struct fth_stage_target *target)
{
    struct stat status;
    target->times[0].tv_nsec = UTIME_OMIT;
    if (fstat(target->file, &status) == 0)
        target->times[1] = status.st_mtim;
    return 0;
}

static int dup_to_write(int held)
{
    char link[64];
    if ((fcntl(held, F_GETFL) & O_ACCMODE) != O_RDONLY)
        return fcntl(held, F_DUPFD_CLOEXEC, 0);
    snprintf(link, sizeof link, "/proc/self/fd/%d", held);
    return open(link, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

static int open_held(struct fth_stage_target *target, const struct fth_published_file *file,
                     int under, bool at_end, struct fth_error **error)
{
    char whole[PATH_MAX];
    target->file = dup_to_write(file->held);
    if (target->file < 0)
        return fth_fail_errno(error, "'%s' cannot be opened again", target->path);
    if (at_end)
        target->is_kept = fth_hidden_name_begin(under, target->file, target->path, target->part);
    else if (fth_file_name_of_whole(target->path, whole))
        strcpy(target->path, whole); /* in messages */
    return keep_times(target);
}

int fth_stage_target_open(struct fth_stage_target *target, const struct fth_published_file *file,
                          int under, const char *path, bool at_end, struct fth_error **error)
{
    *target =
        (struct fth_stage_target){.times = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_OMIT}}};
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

void fth_stage_target_rest(const struct fth_stage_target *target)
{
    if (target->times[1].tv_nsec != UTIME_OMIT)
        futimens(target->file, target->times); /* of somebody else's file it cannot be kept */
}

void fth_stage_target_resume(struct fth_stage_target *target)
{
    if (target->times[1].tv_nsec != UTIME_OMIT)
        keep_times(target);
}

int fth_stage_target_close(struct fth_stage_target *target, int under, bool whole,
                           struct fth_error **error)
{
    fth_stage_target_rest(target);
    free(target->piece);
    int failed = close(target->file);
    if (!failed && whole && *target->part)
        failed = fth_hidden_name_end(under, target->part, target->path);
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

static int lose(const struct fth_stage_target *target, const struct fth_interval *interval,
                struct fth_error **error)
{
    fth_fail(error, "'%s': bytes %llu to %llu of client %u are lost", target->path,
             (unsigned long long)interval->begin, (unsigned long long)interval->end,
             interval->owner);
    return FTH_STAGE_LOST;
}

int fth_stage_target_write(struct fth_stage_target *target, const struct fth_fs_instance *instance,
                           struct fth_keyed *buffers, const struct fth_interval *interval,
                           uint64_t from, uint64_t to, struct fth_error **error)
{
    const struct fth_buffer_file *buffer =
        fth_buffer_file_of(buffers, instance->folder, interval->owner);
    if (!buffer)
        return fth_fail_errno(error,
                              "'%s': the buffer of client %u, which has bytes %llu to %llu, "
                              "cannot be opened",
                              target->path, interval->owner, (unsigned long long)interval->begin,
                              (unsigned long long)interval->end);
    if (!fth_buffer_file_may_hold(buffer, interval->end - interval->begin))
        return lose(target, interval, error);
    if (!target->piece)
        target->piece = fth_new(PIECE, 1);
    for (uint64_t at = from; at < to;) {
        uint64_t left = to - at, count = left < PIECE ? left : PIECE;
        if (!fth_buffer_file_copy(buffer, interval->place + (at - interval->begin), target->piece,
                                  count))
            return lose(target, interval, error);
        if (!fth_beats_wait_to_write())
            return fth_fail(error,
                            "'%s' is not written in the folder below: the next node does not "
                            "confirm that this one is there, so another one may write",
                            target->path);
        if (write_all(target->file, target->piece, count, at))
            return fth_fail_errno(error, "'%s' cannot be written in the folder below",
                                  target->path);
        at += count;
    }
    return 0;
}

/* The file is as long as its last attached byte or gap says. */
int fth_stage_target_lengthen(const struct fth_stage_target *target, uint64_t end,
                              struct fth_error **error)
{
    struct stat status;
    if (fstat(target->file, &status) == 0 && (uint64_t)status.st_size < end &&
        ftruncate(target->file, (off_t)end))
        return fth_fail_errno(error, "'%s' cannot be made longer in the folder below",
                              target->path);
    return 0;
}

/* ---- of another server ---- */

struct part {
    const char *key, *name;
    size_t key_length, name_length;
    uint64_t end, count;
};

static bool read_part(struct fth_view *fields, struct part *part)
{
    part->key_length = fth_view_varint(fields);
    part->key = (const char *)fth_view_bytes(fields, part->key_length);
    part->name_length = fth_view_varint(fields);
    part->name = (const char *)fth_view_bytes(fields, part->name_length);
    part->end = fth_view_varint(fields);
    part->count = fth_view_count(fields, 4);
    return !fields->failed && part->end <= INT64_MAX &&
           fth_file_name_is_valid(part->key, part->key_length) &&
           (!part->name_length || fth_file_name_is_valid(part->name, part->name_length));
}

int64_t fth_stage_target_part(struct fth_published *published,
                              const struct fth_fs_instance *instance, struct fth_view *fields,
                              struct fth_error **error)
{
    struct fth_keyed buffers = {.size = sizeof(struct fth_buffer_file)};
    struct fth_stage_target target;
    struct part part;
    int64_t bytes = 0;
    if (!read_part(fields, &part))
        return fth_fail(error, "another server asks for what cannot be written");
    const struct fth_published_file *file =
        fth_published_file(published, part.key, part.key_length);
    if (!part.count && !part.end)
        return 0; /* it only wants to know that nothing else is written any more */
    if (!part.name_length && !file->is_held)
        return FTH_STAGE_GONE;
    char *name = fth_text_part(part.name_length ? part.name : part.key,
                               part.name_length ? part.name_length : part.key_length);
    int64_t failed = fth_stage_target_open(&target, file, instance->under, name, false, error);
    if (!failed) {
        for (; part.count && !failed; part.count--) {
            struct fth_interval interval = {.begin = fth_view_varint(fields)};
            interval.end = interval.begin + fth_view_varint(fields);
            interval.place = fth_view_varint(fields);
            interval.owner = (uint32_t)fth_view_varint(fields);
            if (fields->failed || interval.end <= interval.begin || interval.end > INT64_MAX ||
                fth_server_of(interval.owner) != instance->server)
                failed = fth_fail(error, "another server asks for what cannot be written");
            else
                failed = fth_stage_target_write(&target, instance, &buffers, &interval,
                                                interval.begin, interval.end, error);
            bytes += failed ? 0 : (int64_t)(interval.end - interval.begin);
        }
        if (!failed)
            failed = fth_stage_target_lengthen(&target, part.end, error);
        if (fth_published_has_no_name(file))
            bytes = 0;
        *target.part = 0; /* its name is a matter of who asks */
        if (fth_stage_target_close(&target, instance->under, !failed, failed ? NULL : error))
            failed = failed ? failed : -1;
    }
    free(name);
    fth_buffer_file_close_all(&buffers);
    return failed ? failed : bytes;
}
