/* What requests change: each change is noted before it is done. */
#include "fs/server/change_record.h"

#include "fs/protocol/instance.h"

#include <errno.h>
#include <unistd.h>

int fth_published_add_client(struct fth_published *published, uint32_t client,
                             struct fth_error **error)
{
    const struct fth_change_record record = {
        .kind = FTH_CHANGE_NUMBERED, .path = "", .owner = client};
    return fth_change_make(published, NULL, &record, error);
}

static struct fth_change_record attached(const char *path, size_t length,
                                         const struct fth_interval *interval)
{
    return (struct fth_change_record){.kind = FTH_CHANGE_ATTACHED,
                                      .path = path,
                                      .length = length,
                                      .owner = interval->owner,
                                      .begin = interval->begin,
                                      .end = interval->end,
                                      .place = interval->place};
}

int fth_published_attach(struct fth_published *published, const char *path, size_t length,
                         const struct fth_interval *intervals, size_t count,
                         const struct fth_noted *noted, struct fth_error **error)
{
    struct fth_bytes records = {.data = NULL};
    for (size_t i = 0; i < count; i++) {
        const struct fth_change_record record = attached(path, length, &intervals[i]);
        fth_change_put(&records, &record);
    }
    if (fth_change_note(published, noted, &records, error))
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct fth_change_record record = attached(path, length, &intervals[i]);
        fth_change_apply(published, &record);
    }
    return 0;
}

int fth_published_detach(struct fth_published *published, const char *path, size_t length,
                         uint32_t owner, uint64_t begin, uint64_t end, struct fth_error **error)
{
    const struct fth_change_record record = {.kind = FTH_CHANGE_DETACHED,
                                             .path = path,
                                             .length = length,
                                             .owner = owner,
                                             .begin = begin,
                                             .end = end};
    return fth_change_make(published, NULL, &record, error);
}

int fth_published_detach_all(struct fth_published *published, uint32_t owner,
                             struct fth_error **error)
{
    const struct fth_change_record record = {
        .kind = FTH_CHANGE_DETACHED_ALL, .path = "", .owner = owner};
    return fth_change_make(published, NULL, &record, error);
}

static bool has_unwritten(const struct fth_published *published, uint32_t client)
{
    struct fth_interval found;
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &found); at = found.end)
            if (found.owner == client && !(found.state & FTH_STATE_CLEAN))
                return true;
    }
    return false;
}

int fth_published_reclaim(struct fth_published *published, uint32_t owner, struct fth_error **error)
{
    published->counts.detaches++;
    if (has_unwritten(published, owner))
        return EBUSY;
    return fth_published_detach_all(published, owner, error) ? EIO : 0;
}

int fth_published_truncate(struct fth_published *published, const char *path, size_t path_length,
                           const struct fth_noted *by, uint64_t length, struct fth_error **error)
{
    const struct fth_change_record record = {.kind = FTH_CHANGE_TRUNCATED,
                                             .path = path,
                                             .length = path_length,
                                             .owner = by ? by->asker.client : 0,
                                             .end = length};
    return fth_change_make(published, by, &record, error);
}

int fth_published_reserve(struct fth_published *published, const char *path, size_t path_length,
                          const struct fth_noted *by, uint64_t end, struct fth_error **error)
{
    const struct fth_change_record record = {.kind = FTH_CHANGE_RESERVED,
                                             .path = path,
                                             .length = path_length,
                                             .owner = by->asker.client,
                                             .end = end};
    return fth_change_make(published, by, &record, error);
}

int fth_published_give_up(struct fth_published *published, const char *path, size_t length,
                          uint32_t server, struct fth_error **error)
{
    struct fth_published_file *file = fth_published_file(published, path, length);
    struct fth_interval interval;
    uint32_t by = file->lengthener;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &interval); at = interval.end)
        if (fth_server_of(interval.owner) == server &&
            fth_published_detach(published, path, length, interval.owner, interval.begin,
                                 interval.end, error))
            return -1;
    uint64_t end =
        by && fth_server_of(by) != server ? file->end : fth_intervals_end(&file->intervals);
    return end == file->end
               ? 0
               : fth_published_truncate(published, path, length,
                                        &(struct fth_noted){.asker.client = end ? by : 0}, end,
                                        error);
}

int fth_published_forget(struct fth_published *published, const char *path, size_t length,
                         struct fth_error **error)
{
    struct fth_published_file *file = fth_published_file(published, path, length);
    if ((file->intervals.count || file->end) &&
        fth_published_truncate(published, path, length, NULL, 0, error))
        return -1;
    if (file->is_held) {
        close(file->held);
        published->held_count--;
    }
    file->is_held = false;
    file->end = 0;
    return 0;
}
