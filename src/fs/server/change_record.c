/* Records of changes: in the journal, and done. */
#include "fs/server/change_record.h"

#include "fs/protocol/fs_messages.h"

#include <stdlib.h>

/* ---- as bytes ---- */

static void put_head(struct fth_bytes *to, enum fth_change kind, const char *path, size_t length,
                     uint32_t owner)
{
    fth_bytes_varint(to, kind);
    fth_bytes_text(to, path, length);
    fth_bytes_varint(to, owner);
}

void fth_change_put(struct fth_bytes *to, const struct fth_change_record *record)
{
    put_head(to, record->kind, record->path, record->length, record->owner);
    switch (record->kind) {
    case FTH_CHANGE_ATTACHED:
        fth_bytes_varint(to, record->begin);
        fth_bytes_varint(to, record->end);
        fth_bytes_varint(to, record->place);
        break;
    case FTH_CHANGE_DETACHED:
        fth_bytes_varint(to, record->begin);
        fth_bytes_varint(to, record->end);
        break;
    case FTH_CHANGE_HELD:
        fth_bytes_text(to, record->name, record->name_length);
        fth_bytes_varint(to, record->born);
        break;
    case FTH_CHANGE_TRUNCATED:
    case FTH_CHANGE_RESERVED:
        fth_bytes_varint(to, record->end);
        break;
    default:
        break;
    }
}

void fth_change_put_noted(struct fth_bytes *to, const struct fth_noted *noted,
                          const struct fth_bytes *records)
{
    put_head(to, FTH_CHANGE_NOTED, "", 0, noted->asker.client);
    fth_bytes_varint(to, noted->asker.request);
    fth_bytes_varint(to, noted->kind);
    fth_bytes_varint(to, noted->answer);
    fth_bytes_text(to, records->data, records->length);
}

static void read_rest(struct fth_view *view, struct fth_change_record *record)
{
    switch (record->kind) {
    case FTH_CHANGE_ATTACHED:
    case FTH_CHANGE_DETACHED:
        record->begin = fth_view_varint(view);
        record->end = fth_view_varint(view);
        record->place = record->kind == FTH_CHANGE_ATTACHED ? fth_view_varint(view) : 0;
        view->failed |= record->begin >= record->end;
        break;
    case FTH_CHANGE_HELD:
        record->name_length = fth_view_varint(view);
        record->name = (const char *)fth_view_bytes(view, record->name_length);
        record->born = fth_view_varint(view);
        break;
    case FTH_CHANGE_TRUNCATED:
    case FTH_CHANGE_RESERVED:
        record->end = fth_view_varint(view);
        break;
    default:
        break;
    }
}

bool fth_change_read(struct fth_view *view, struct fth_change_record *record)
{
    uint64_t kind = fth_view_varint(view);
    *record = (struct fth_change_record){.length = fth_view_varint(view)};
    record->path = (const char *)fth_view_bytes(view, record->length);
    record->owner = (uint32_t)fth_view_varint(view);
    view->failed |= kind < FTH_CHANGE_ATTACHED || kind > FTH_CHANGE_NUMBERED;
    if (view->failed)
        return false;
    record->kind = (enum fth_change)kind;
    read_rest(view, record);
    return !view->failed;
}

bool fth_change_begins_noted(const struct fth_view *view)
{
    struct fth_view look = *view;
    return fth_view_varint(&look) == FTH_CHANGE_NOTED;
}

bool fth_change_read_noted(struct fth_view *view, struct fth_noted *noted, struct fth_view *records)
{
    fth_view_varint(view);
    fth_view_bytes(view, fth_view_varint(view)); /* a path, of none */
    *noted = (struct fth_noted){.asker.client = (uint32_t)fth_view_varint(view)};
    noted->asker.request = fth_view_varint(view);
    uint64_t kind = fth_view_varint(view);
    noted->answer = fth_view_varint(view);
    uint64_t length = fth_view_varint(view);
    const uint8_t *bytes = fth_view_bytes(view, length);
    view->failed |= kind > UINT8_MAX || !fth_fs_message_is_noted((uint8_t)kind);
    if (view->failed)
        return false;
    noted->kind = (uint8_t)kind;
    *records = fth_view_of(bytes, length);
    return true;
}

int fth_change_note(struct fth_published *published, const struct fth_noted *noted,
                    struct fth_bytes *records, struct fth_error **error)
{
    struct fth_bytes whole = {.data = NULL};
    bool is_noted = noted && noted->asker.request;
    if (is_noted)
        fth_change_put_noted(&whole, noted, records);
    int failed = fth_journal_put(&published->journal, is_noted ? &whole : records, error);
    fth_bytes_free(&whole);
    fth_bytes_free(records);
    if (!failed && is_noted)
        fth_noted_keep(&published->noted, noted);
    return failed;
}

/* ---- done ---- */

static void attach(struct fth_published_file *file, const struct fth_change_record *record)
{
    const struct fth_interval interval = {
        .begin = record->begin, .end = record->end, .place = record->place, .owner = record->owner};
    fth_intervals_put(&file->intervals, &interval);
    if (interval.end > file->end)
        file->end = interval.end;
}

static void detach(struct fth_published_file *file, uint32_t owner, uint64_t begin, uint64_t end)
{
    struct fth_interval interval;
    for (uint64_t at = begin; fth_intervals_within(&file->intervals, at, end, &interval);
         at = interval.end)
        if (interval.owner == owner)
            fth_intervals_cut(&file->intervals, interval.begin, interval.end);
}

static void detach_all(struct fth_published *published, uint32_t owner)
{
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++)
        detach(fth_keyed_item(&published->files, i), owner, 0, UINT64_MAX);
}

/* Whoever attaches something behind GIVEN_UP attaches it to another file, and maybe by another
 * node, whose server holds it. */
static void cut_off(struct fth_published_file *file, uint32_t by, uint64_t end)
{
    fth_intervals_cut(&file->intervals, end, UINT64_MAX);
    file->end = end;
    file->lengthener = end ? by : 0;
    if (by != FTH_CHANGE_GIVEN_UP)
        return;
    free(file->name_then);
    file->name_then = NULL;
}

static void reserve(struct fth_published_file *file, uint32_t by, uint64_t end)
{
    if (file->end >= end)
        return;
    file->end = end;
    file->lengthener = by;
}

void fth_change_apply(struct fth_published *published, const struct fth_change_record *record)
{
    struct fth_published_file *file =
        record->length ? fth_published_file(published, record->path, record->length) : NULL;
    if (record->kind == FTH_CHANGE_DETACHED_ALL)
        detach_all(published, record->owner);
    else if (record->kind == FTH_CHANGE_NUMBERED)
        published->last_client = record->owner;
    else if (!file || record->kind == FTH_CHANGE_HELD)
        return;
    else if (record->kind == FTH_CHANGE_ATTACHED)
        attach(file, record);
    else if (record->kind == FTH_CHANGE_DETACHED)
        detach(file, record->owner, record->begin, record->end);
    else if (record->kind == FTH_CHANGE_TRUNCATED)
        cut_off(file, record->owner, record->end);
    else if (record->kind == FTH_CHANGE_RESERVED)
        reserve(file, record->owner, record->end);
}

int fth_change_make(struct fth_published *published, const struct fth_noted *noted,
                    const struct fth_change_record *record, struct fth_error **error)
{
    struct fth_bytes records = {.data = NULL};
    fth_change_put(&records, record);
    if (fth_change_note(published, noted, &records, error))
        return -1;
    fth_change_apply(published, record);
    return 0;
}
