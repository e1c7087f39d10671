/* A journal of what is known by now, in place of one of how it came to be known. */
#include "fs/server/published_held.h"

#include "fs/protocol/held_files.h"
#include "fs/server/change_record.h"

#include <stdio.h>

enum {
    LEAST = 4 << 20, /* bytes of a journal that are not worth it */
    TIMES = 4,       /* it may be so many times longer than it was at best */
};

static void put_held(struct fth_bytes *to, const struct fth_published_file *file, const char *path,
                     size_t length)
{
    char name[PATH_MAX];
    ssize_t name_length = fth_published_name_of(file->held, name);
    const struct fth_change_record record = {.kind = FTH_CHANGE_HELD,
                                             .path = path,
                                             .length = length,
                                             .name = name,
                                             .name_length =
                                                 name_length > 0 ? (size_t)name_length : 0,
                                             .born = fth_held_born(file->held, "")};
    fth_change_put(to, &record);
}

/* The end comes first: who attaches up to there has not made the file longer. */
static void put_file(struct fth_bytes *to, const struct fth_published_file *file, const char *path,
                     size_t length)
{
    struct fth_change_record record = {.kind = FTH_CHANGE_RESERVED,
                                       .path = path,
                                       .length = length,
                                       .owner = file->lengthener,
                                       .end = file->end};
    struct fth_interval found;
    if (file->is_held)
        put_held(to, file, path, length);
    if (file->end)
        fth_change_put(to, &record);
    record.kind = FTH_CHANGE_ATTACHED;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &found); at = found.end) {
        record.begin = found.begin;
        record.end = found.end;
        record.place = found.place;
        record.owner = found.owner;
        fth_change_put(to, &record);
    }
}

static void put_noted(void *data, const struct fth_noted *noted)
{
    const struct fth_bytes none = {.data = NULL};
    fth_change_put_noted(data, noted, &none);
}

void fth_published_put_all(const struct fth_published *published, struct fth_bytes *to)
{
    const struct fth_change_record record = {
        .kind = FTH_CHANGE_NUMBERED, .path = "", .owner = published->last_client};
    if (published->last_client)
        fth_change_put(to, &record);
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        size_t length;
        const char *path = fth_published_path(published, i, &length);
        put_file(to, fth_keyed_item(&published->files, i), path, length);
    }
    fth_noted_each(&published->noted, put_noted, to);
}

static uint64_t most_behind(uint64_t bytes)
{
    return bytes > LEAST / TIMES ? TIMES * bytes : LEAST;
}

void fth_published_shorten(struct fth_published *published)
{
    struct fth_journal *journal = &published->journal;
    struct fth_bytes records = {.data = NULL};
    struct fth_error *error = NULL;
    if (!published->journal_most)
        published->journal_most = LEAST;
    if (journal->file < 0 || journal->end < published->journal_most)
        return;
    fth_published_put_all(published, &records);
    if (fth_journal_replace(journal, &records, &error)) {
        fprintf(stderr, "fathom fs: %s\n", fth_error_text(error));
        fth_error_free(error);
    }
    published->journal_most = most_behind(journal->end);
    fth_bytes_free(&records);
}
