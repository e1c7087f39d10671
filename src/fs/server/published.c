/* Files that clients have attached something of. */
#include "fs/server/published.h"

#include "fs/server/share_of_file.h"

#include <stdlib.h>
#include <unistd.h>

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

uint64_t fth_published_end(const struct fth_published *published, uint32_t number)
{
    const struct fth_published_file *file = fth_keyed_item(&published->files, number);
    size_t length;
    const char *path = fth_published_path(published, number, &length);
    return !published->servers ||
                   fth_share_server(published->servers, path, length, 0) == published->server
               ? file->end
               : fth_intervals_end(&file->intervals);
}

bool fth_published_is_dirty(const struct fth_published_file *file)
{
    struct fth_interval interval;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &interval); at = interval.end)
        if (!(interval.state & FTH_STATE_CLEAN))
            return true;
    return false;
}

void fth_published_close(struct fth_published *published)
{
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        fth_intervals_free(&file->intervals);
        fth_lock_tokens_free(&file->tokens);
        free(file->name_then);
        free(file->unanswered);
        if (file->is_held)
            close(file->held);
    }
    fth_keyed_free(&published->files);
    fth_noted_free(&published->noted);
    fth_journal_close(&published->journal);
}
