/* A server begins with what the journal of the one before says. */
#include "fs/server/published_held.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/held_files.h"
#include "fs/server/change_record.h"
#include "fs/server/held_again.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- files that were held ---- */

/* By the name that it had, or the one that it has until it is whole. */
static int find_held(const char *name, const struct fth_held_file *held)
{
    char part[PATH_MAX];
    int found = fth_held_again(name, held);
    return found < 0 && fth_file_name_of_part(name, part) ? fth_held_again(part, held) : found;
}

/* A server that is started again finds the file by the name that it had, if it has it still. */
static void read_held(struct fth_published *published, const struct fth_change_record *record)
{
    const struct fth_held_file held = {
        .identity = record->path, .length = record->length, .born = record->born};
    struct fth_published_file *file = fth_published_file(published, held.identity, held.length);
    free(file->name_then);
    file->name_then = fth_text_part(record->name, record->name_length);
    file->born = held.born;
    int found = find_held(file->name_then, &held);
    if (found >= 0)
        fth_published_keep_held(published, held.identity, held.length, found);
}

/* On several nodes, other servers may know what clients of this one attached. */
static bool is_missed(const struct fth_published *published, const struct fth_published_file *file)
{
    return file->name_then && !file->is_held &&
           (published->is_spread || file->intervals.count || file->end);
}

static bool look_for(struct fth_published *published, const char *path,
                     const struct fth_held_file *held)
{
    if (!fth_keyed_has(&published->files, held->identity, held->length))
        return false;
    const struct fth_published_file *file =
        fth_published_file(published, held->identity, held->length);
    int found = is_missed(published, file) && file->born == held->born && held->born
                    ? fth_held_again(path, held)
                    : -1;
    if (found >= 0)
        fth_published_keep_held(published, held->identity, held->length, found);
    return true;
}

/* Of an instance on one node, or on several. */
static void look_whether_missed(const char *path, const struct stat *facts, void *data)
{
    char identity[FTH_IDENTITY_MOST];
    struct fth_held_file held = {.identity = identity, .born = fth_held_born(AT_FDCWD, path)};
    held.length = fth_identity_of(facts, held.born, identity);
    if (look_for(data, path, &held))
        return;
    held.length = fth_identity_of(facts, 0, identity);
    look_for(data, path, &held);
}

static bool has_missed(const struct fth_published *published)
{
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++)
        if (is_missed(published, fth_keyed_item(&published->files, i)))
            return true;
    return false;
}

/* Those that have been renamed are looked for. What is not there is forgotten: its number may be
 * that of another file from now on. */
static int find_missed(struct fth_published *published, struct fth_error **error)
{
    char under[PATH_MAX];
    if (!has_missed(published))
        return 0;
    if (fth_published_name_of(published->under, under) > 0)
        fth_held_again_each(under, look_whether_missed, published);
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        size_t length;
        const char *identity = fth_published_path(published, i, &length);
        if (!is_missed(published, file))
            continue;
        fprintf(stderr,
                "fathom fs: what was attached to '%s'%s is given up: the file is gone, or is not "
                "in the folder below any more\n",
                file->name_then, published->is_spread ? " on this node" : "");
        if (fth_published_truncate(published, identity, length,
                                   &(struct fth_noted){.asker.client = FTH_CHANGE_GIVEN_UP}, 0,
                                   error))
            return -1;
        file->is_given_up = true;
    }
    return 0;
}

/* ---- the journal ---- */

static void read_record(struct fth_published *published, struct fth_view *view)
{
    struct fth_change_record record;
    if (!fth_change_read(view, &record))
        return;
    if (record.kind == FTH_CHANGE_HELD)
        read_held(published, &record);
    else
        fth_change_apply(published, &record);
}

/* Those in it are read when all of them are there. */
static void read_noted(struct fth_published *published, struct fth_view *view)
{
    struct fth_noted noted;
    struct fth_view records;
    if (!fth_change_read_noted(view, &noted, &records))
        return;
    while (fth_view_left(&records) && !records.failed)
        read_record(published, &records);
    fth_noted_keep(&published->noted, &noted);
}

static void read_any(void *data, struct fth_view *view)
{
    if (fth_change_begins_noted(view))
        read_noted(data, view);
    else
        read_record(data, view);
}

int fth_published_open(struct fth_published *published, int folder, int under, bool is_spread,
                       struct fth_error **error)
{
    *published = (struct fth_published){.files.size = sizeof(struct fth_published_file),
                                        .under = under,
                                        .is_spread = is_spread,
                                        .known = fth_known_files_map(folder, true),
                                        .journal.file = -1};
    if (!published->known)
        return fth_fail_errno(error, "the list of known files cannot be made");
    return fth_journal_open(&published->journal, folder, read_any, published, error) ||
                   find_missed(published, error)
               ? -1
               : 0;
}
