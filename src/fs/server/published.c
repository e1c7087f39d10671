/* Files that clients have attached something of. */
#include "fs/server/published.h"

#include "fs/server/share_of_file.h"

#include <stdlib.h>
#include <string.h>
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

/* As one that nobody has ever said anything of. */
static bool is_nothing(const struct fth_published_file *file)
{
    return !file->intervals.count && !file->end && !file->is_held && !file->is_given_up &&
           !file->is_staged && !file->leaving && !file->name_then && !file->born &&
           !file->tokens.count && !file->locks.count && !file->lengthener && !file->unanswered;
}

/* Moves what counts to a new table. */
static void purge(struct fth_published *published)
{
    struct fth_keyed kept = {.size = published->files.size};
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        size_t length;
        const char *path = fth_published_path(published, i, &length);
        if (is_nothing(file)) {
            fth_intervals_free(&file->intervals);
            fth_lock_tokens_free(&file->tokens);
            fth_lock_tokens_free(&file->locks);
        } else {
            memcpy(fth_keyed_get(&kept, path, length), file, sizeof *file);
        }
    }
    fth_keyed_free(&published->files);
    published->files = kept;
}

void fth_published_purge(struct fth_published *published)
{
    enum { FEW = 1024 /* names, which are not worth it */ };
    uint32_t count = fth_keyed_count(&published->files), nothing = 0;
    if (count < FEW || count < published->purge_at)
        return;
    for (uint32_t i = 0; i < count; i++)
        nothing += is_nothing(fth_keyed_item(&published->files, i));
    if (nothing > count / 2)
        purge(published);
    published->purge_at = 2 * fth_keyed_count(&published->files);
}

void fth_published_close(struct fth_published *published)
{
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        fth_intervals_free(&file->intervals);
        fth_lock_tokens_free(&file->tokens);
        fth_lock_tokens_free(&file->locks);
        free(file->name_then);
        free(file->unanswered);
        if (file->is_held)
            close(file->held);
    }
    fth_keyed_free(&published->files);
    fth_noted_free(&published->noted);
    fth_journal_close(&published->journal);
}
