/* Who attached what, and its journal. */
#include "fs/server/published.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTACHED = 1, DETACHED, DETACHED_ALL };

struct fth_published_file *fth_published_file(struct fth_published *published, const char *path,
                                              size_t length)
{
    return fth_keyed_get(&published->files, path, length);
}

const char *fth_published_path(const struct fth_published *published, uint32_t number,
                               size_t *length)
{
    return (const char *)fth_interned(&published->files.keys, number, length);
}

/* A record that is not whole, because the server was killed, is the last one: the reader ends
 * there. */
static int note(struct fth_published *published, const struct fth_bytes *record,
                struct fth_error **error)
{
    if (published->journal < 0)
        return 0;
    off_t before = lseek(published->journal, 0, SEEK_END);
    ssize_t written = write(published->journal, record->data, record->length);
    if (written == (ssize_t)record->length)
        return 0;
    if (written >= 0)
        errno = ENOSPC;
    int failed = fth_fail_errno(error, "the journal of the server cannot be written");
    /* records behind a piece of one would be lost */
    if (written > 0 && ftruncate(published->journal, before))
        fprintf(stderr, "fathom fs: the journal is torn at byte %lld\n", (long long)before);
    return failed;
}

static void begin_record(struct fth_bytes *record, int kind, const char *path, size_t length,
                         uint32_t owner)
{
    fth_bytes_varint(record, (uint64_t)kind);
    fth_bytes_text(record, path, length);
    fth_bytes_varint(record, owner);
}

static void attach(struct fth_published_file *file, const struct fth_interval *interval)
{
    fth_intervals_put(&file->intervals, interval);
    if (interval->end > file->end)
        file->end = interval->end;
}

int fth_published_attach(struct fth_published *published, const char *path, size_t length,
                         const struct fth_interval *interval, struct fth_error **error)
{
    struct fth_bytes record = {.data = NULL};
    begin_record(&record, ATTACHED, path, length, interval->owner);
    fth_bytes_varint(&record, interval->begin);
    fth_bytes_varint(&record, interval->end);
    fth_bytes_varint(&record, interval->place);
    int failed = note(published, &record, error);
    fth_bytes_free(&record);
    if (!failed)
        attach(fth_published_file(published, path, length), interval);
    return failed;
}

static void detach(struct fth_published_file *file, uint32_t owner, uint64_t begin, uint64_t end)
{
    struct fth_interval interval;
    for (uint64_t at = begin; fth_intervals_within(&file->intervals, at, end, &interval);
         at = interval.end)
        if (interval.owner == owner)
            fth_intervals_cut(&file->intervals, interval.begin, interval.end);
}

int fth_published_detach(struct fth_published *published, const char *path, size_t length,
                         uint32_t owner, uint64_t begin, uint64_t end, struct fth_error **error)
{
    struct fth_bytes record = {.data = NULL};
    begin_record(&record, DETACHED, path, length, owner);
    fth_bytes_varint(&record, begin);
    fth_bytes_varint(&record, end);
    int failed = note(published, &record, error);
    fth_bytes_free(&record);
    if (!failed)
        detach(fth_published_file(published, path, length), owner, begin, end);
    return failed;
}

static void detach_all(struct fth_published *published, uint32_t owner)
{
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++)
        detach(fth_keyed_item(&published->files, i), owner, 0, UINT64_MAX);
}

int fth_published_detach_all(struct fth_published *published, uint32_t owner,
                             struct fth_error **error)
{
    struct fth_bytes record = {.data = NULL};
    begin_record(&record, DETACHED_ALL, "", 0, owner);
    int failed = note(published, &record, error);
    fth_bytes_free(&record);
    if (!failed)
        detach_all(published, owner);
    return failed;
}

static void read_record(struct fth_published *published, struct fth_view *view)
{
    uint64_t kind = fth_view_varint(view), length = fth_view_varint(view);
    const char *path = (const char *)fth_view_bytes(view, length);
    uint32_t owner = (uint32_t)fth_view_varint(view);
    struct fth_interval interval = {.owner = owner};
    if (kind == ATTACHED || kind == DETACHED) {
        interval.begin = fth_view_varint(view);
        interval.end = fth_view_varint(view);
    }
    if (kind == ATTACHED)
        interval.place = fth_view_varint(view);
    view->failed |= kind < ATTACHED || kind > DETACHED_ALL ||
                    (kind != DETACHED_ALL && interval.begin >= interval.end);
    if (view->failed)
        return;
    if (kind == DETACHED_ALL)
        detach_all(published, owner);
    else if (kind == DETACHED)
        detach(fth_published_file(published, path, length), owner, interval.begin, interval.end);
    else
        attach(fth_published_file(published, path, length), &interval);
}

/* Reads all whole records; what is behind them is cut off. */
static int read_journal(struct fth_published *published, struct fth_error **error)
{
    struct stat status;
    if (fstat(published->journal, &status))
        return fth_fail_errno(error, "the journal of the server cannot be read");
    if (!status.st_size)
        return 0;
    void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, published->journal, 0);
    if (map == MAP_FAILED)
        return fth_fail_errno(error, "the journal of the server cannot be read");
    struct fth_view view = fth_view_of(map, (size_t)status.st_size);
    const uint8_t *whole = view.at;
    while (view.at < view.end && !view.failed) {
        read_record(published, &view);
        whole = view.failed ? whole : view.at;
    }
    int failed = ftruncate(published->journal, whole - (const uint8_t *)map);
    munmap(map, (size_t)status.st_size);
    return failed ? fth_fail_errno(error, "the journal of the server cannot be mended") : 0;
}

int fth_published_open(struct fth_published *published, int folder, struct fth_error **error)
{
    *published = (struct fth_published){.files.size = sizeof(struct fth_published_file)};
    published->journal =
        openat(folder, "journal", O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (published->journal < 0)
        return fth_fail_errno(error, "the journal of the server cannot be opened");
    return read_journal(published, error);
}

void fth_published_close(struct fth_published *published)
{
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        fth_intervals_free(&file->intervals);
        fth_lock_tokens_free(&file->tokens);
    }
    fth_keyed_free(&published->files);
    if (published->journal >= 0)
        close(published->journal);
}
