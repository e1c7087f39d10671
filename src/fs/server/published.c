/* Who attached what, and its journal. */
#include "fs/server/published.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/held_files.h"
#include "fs/protocol/instance.h"
#include "fs/server/held_again.h"
#include "fs/server/share_rule.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Who cuts a file off that is gone: its number is another one's from then on. */
#define GIVEN_UP UINT32_MAX

/* NOTED has others in it, and what they are done for. */
enum { ATTACHED = 1, DETACHED, DETACHED_ALL, HELD, TRUNCATED, RESERVED, NUMBERED, NOTED };

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

/* Ends a record. */
static int note(struct fth_published *published, struct fth_bytes *record, struct fth_error **error)
{
    int failed = fth_journal_put(&published->journal, record, error);
    fth_bytes_free(record);
    return failed;
}

static void begin_record(struct fth_bytes *record, int kind, const char *path, size_t length,
                         uint32_t owner)
{
    fth_bytes_varint(record, (uint64_t)kind);
    fth_bytes_text(record, path, length);
    fth_bytes_varint(record, owner);
}

/* Ends records. Either all of it is known to the next server, or nothing. */
static int note_for(struct fth_published *published, const struct fth_noted *noted,
                    struct fth_bytes *records, struct fth_error **error)
{
    struct fth_bytes whole = {.data = NULL};
    if (!noted || !noted->asker.request)
        return note(published, records, error);
    begin_record(&whole, NOTED, "", 0, noted->asker.client);
    fth_bytes_varint(&whole, noted->asker.request);
    fth_bytes_varint(&whole, noted->kind);
    fth_bytes_varint(&whole, noted->answer);
    fth_bytes_text(&whole, records->data, records->length);
    fth_bytes_free(records);
    int failed = note(published, &whole, error);
    if (!failed)
        fth_noted_keep(&published->noted, noted);
    return failed;
}

int fth_published_add_client(struct fth_published *published, uint32_t client,
                             struct fth_error **error)
{
    struct fth_bytes record = {.data = NULL};
    begin_record(&record, NUMBERED, "", 0, client);
    int failed = note(published, &record, error);
    if (!failed)
        published->last_client = client;
    return failed;
}

static void attach(struct fth_published_file *file, const struct fth_interval *interval)
{
    fth_intervals_put(&file->intervals, interval);
    if (interval->end > file->end)
        file->end = interval->end;
}

int fth_published_attach(struct fth_published *published, const char *path, size_t length,
                         const struct fth_interval *intervals, size_t count,
                         const struct fth_noted *noted, struct fth_error **error)
{
    struct fth_bytes records = {.data = NULL};
    for (size_t i = 0; i < count; i++) {
        begin_record(&records, ATTACHED, path, length, intervals[i].owner);
        fth_bytes_varint(&records, intervals[i].begin);
        fth_bytes_varint(&records, intervals[i].end);
        fth_bytes_varint(&records, intervals[i].place);
    }
    int failed = note_for(published, noted, &records, error);
    for (size_t i = 0; !failed && i < count; i++)
        attach(fth_published_file(published, path, length), &intervals[i]);
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
    if (!failed)
        detach_all(published, owner);
    return failed;
}

/* ---- files by their identity ---- */

static void hold(struct fth_published *published, const char *identity, size_t length, int file)
{
    struct fth_published_file *held = fth_published_file(published, identity, length);
    if (held->is_held) {
        close(file);
        return;
    }
    held->is_held = true;
    published->held_count++;
    held->held = file;
    fth_known_files_add(published->known, identity, length);
}

/* The name that a file has now, for a server that is started again. */
static ssize_t name_of(int file, char name[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, PATH_MAX - 1);
    name[length > 0 ? length : 0] = 0;
    return length;
}

char *fth_published_name(const struct fth_published *published, uint32_t number)
{
    const struct fth_published_file *file = fth_keyed_item(&published->files, number);
    char name[PATH_MAX], under[PATH_MAX];
    size_t length;
    const char *path = fth_published_path(published, number, &length);
    if (!file->is_held)
        return fth_text_part(path, length);
    ssize_t end = name_of(file->held, name), start = name_of(published->under, under);
    if (end > start && start > 0 && memcmp(name, under, (size_t)start) == 0 && name[start] == '/')
        return fth_text_part(name + start + 1, (size_t)(end - start - 1));
    return fth_text_part(name, end > 0 ? (size_t)end : 0);
}

/* An open file of the server's own: the program's has its locks, which end with the last descriptor
 * of it. Where nobody may open the file to write any more, only the program's is there to write. */
static int open_own(int passed)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", passed);
    int own = open(link, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (own < 0)
        return passed;
    close(passed);
    return own;
}

int fth_published_hold(struct fth_published *published, const char *identity, size_t length,
                       int file, struct fth_error **error)
{
    char name[PATH_MAX];
    struct fth_bytes record = {.data = NULL};
    ssize_t name_length = name_of(file, name);
    if (fth_published_file(published, identity, length)->is_held) {
        close(file);
        return 0;
    }
    file = open_own(file);
    begin_record(&record, HELD, identity, length, 0);
    fth_bytes_text(&record, name, name_length > 0 ? (size_t)name_length : 0);
    fth_bytes_varint(&record, fth_held_born(file, ""));
    int failed = note(published, &record, error);
    if (failed)
        close(file);
    else
        hold(published, identity, length, file);
    return failed;
}

/* By the name that it had, or the one that it has until it is whole. */
static int find_held(const char *name, const struct fth_held_file *held)
{
    char part[PATH_MAX];
    int found = fth_held_again(name, held);
    return found < 0 && fth_file_name_of_part(name, part) ? fth_held_again(part, held) : found;
}

void fth_published_hold_to_read(struct fth_published_file *file)
{
    char link[64];
    if (!file->is_held || (fcntl(file->held, F_GETFL) & O_ACCMODE) == O_RDONLY)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file->held);
    int other = open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (other < 0)
        return;
    close(file->held);
    file->held = other;
}

/* A server that is started again finds the file by the name that it had, if it has it still. */
static void read_held(struct fth_published *published, struct fth_view *view, const char *identity,
                      size_t length)
{
    struct fth_held_file held = {.identity = identity, .length = length};
    uint64_t name_length = fth_view_varint(view);
    const char *text = (const char *)fth_view_bytes(view, name_length);
    held.born = fth_view_varint(view);
    if (view->failed)
        return;
    struct fth_published_file *file = fth_published_file(published, identity, length);
    free(file->name_then);
    file->name_then = fth_text_part(text, name_length);
    file->born = held.born;
    int found = find_held(file->name_then, &held);
    if (found >= 0)
        hold(published, identity, length, found);
}

static void forget_name(struct fth_published_file *file)
{
    free(file->name_then);
    file->name_then = NULL;
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
        hold(published, held->identity, held->length, found);
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
    if (name_of(published->under, under) > 0)
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
                                   &(struct fth_noted){.asker.client = GIVEN_UP}, 0, error))
            return -1;
        file->is_given_up = true;
        forget_name(file);
    }
    return 0;
}

static void truncate_file(struct fth_published_file *file, uint32_t by, uint64_t length)
{
    fth_intervals_cut(&file->intervals, length, UINT64_MAX);
    file->end = length;
    file->lengthener = length ? by : 0;
}

int fth_published_truncate(struct fth_published *published, const char *path, size_t path_length,
                           const struct fth_noted *by, uint64_t length, struct fth_error **error)
{
    struct fth_bytes record = {.data = NULL};
    uint32_t client = by ? by->asker.client : 0;
    begin_record(&record, TRUNCATED, path, path_length, client);
    fth_bytes_varint(&record, length);
    int failed = note_for(published, by, &record, error);
    if (!failed)
        truncate_file(fth_published_file(published, path, path_length), client, length);
    return failed;
}

static void reserve(struct fth_published_file *file, uint32_t by, uint64_t end)
{
    if (file->end < end) {
        file->end = end;
        file->lengthener = by;
    }
}

int fth_published_reserve(struct fth_published *published, const char *path, size_t path_length,
                          const struct fth_noted *by, uint64_t end, struct fth_error **error)
{
    struct fth_bytes record = {.data = NULL};
    begin_record(&record, RESERVED, path, path_length, by->asker.client);
    fth_bytes_varint(&record, end);
    int failed = note_for(published, by, &record, error);
    if (!failed)
        reserve(fth_published_file(published, path, path_length), by->asker.client, end);
    return failed;
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

/* Whoever attaches something behind that attaches it to another file, and maybe by another node,
 * whose server holds it. */
static void read_truncated(struct fth_published_file *file, uint32_t by, uint64_t length)
{
    truncate_file(file, by, length);
    if (by == GIVEN_UP)
        forget_name(file);
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
    if (kind == TRUNCATED || kind == RESERVED)
        interval.begin = fth_view_varint(view);
    view->failed |= kind < ATTACHED || kind > NUMBERED ||
                    ((kind == ATTACHED || kind == DETACHED) && interval.begin >= interval.end);
    if (view->failed)
        return;
    if (kind == HELD)
        read_held(published, view, path, length);
    else if (kind == TRUNCATED)
        read_truncated(fth_published_file(published, path, length), owner, interval.begin);
    else if (kind == RESERVED)
        reserve(fth_published_file(published, path, length), owner, interval.begin);
    else if (kind == DETACHED_ALL)
        detach_all(published, owner);
    else if (kind == NUMBERED)
        published->last_client = owner;
    else if (kind == DETACHED)
        detach(fth_published_file(published, path, length), owner, interval.begin, interval.end);
    else
        attach(fth_published_file(published, path, length), &interval);
}

static bool begins_noted(const struct fth_view *view)
{
    struct fth_view look = *view;
    return fth_view_varint(&look) == NOTED;
}

/* Those in it are read when all of them are there. */
static void read_noted(struct fth_published *published, struct fth_view *view)
{
    fth_view_varint(view);
    fth_view_bytes(view, fth_view_varint(view)); /* a path, of none */
    struct fth_noted noted = {.asker.client = (uint32_t)fth_view_varint(view)};
    noted.asker.request = fth_view_varint(view);
    uint64_t kind = fth_view_varint(view);
    noted.answer = fth_view_varint(view);
    uint64_t length = fth_view_varint(view);
    const uint8_t *bytes = fth_view_bytes(view, length);
    view->failed |= kind > UINT8_MAX || !fth_fs_message_is_noted((uint8_t)kind);
    if (view->failed)
        return;
    struct fth_view records = fth_view_of(bytes, length);
    while (fth_view_left(&records) && !records.failed)
        read_record(published, &records);
    noted.kind = (uint8_t)kind;
    fth_noted_keep(&published->noted, &noted);
}

static void read_any(void *data, struct fth_view *view)
{
    if (begins_noted(view))
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

void fth_published_close(struct fth_published *published)
{
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        fth_intervals_free(&file->intervals);
        fth_lock_tokens_free(&file->tokens);
        free(file->name_then);
        if (file->is_held)
            close(file->held);
    }
    fth_keyed_free(&published->files);
    fth_noted_free(&published->noted);
    fth_journal_close(&published->journal);
}
