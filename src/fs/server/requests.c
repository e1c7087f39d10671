/* Requests of clients, one function for each kind. */
#include "fs/server/requests.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/held_files.h"
#include "fs/server/let_go.h"
#include "fs/server/stage_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A request on its way: what it is about, and the errno that it is answered with. */
struct request {
    struct fth_requests *requests;
    struct fth_view *message;
    struct fth_bytes *answer;
    const char *path;
    size_t length;
    uint32_t client;
    int *passed;
    int error;
};

static bool take_path(struct request *request)
{
    uint64_t length = fth_view_varint(request->message);
    const uint8_t *path = fth_view_bytes(request->message, length);
    request->path = (const char *)path;
    request->length = length;
    if (!path || !fth_file_name_is_valid(request->path, request->length))
        request->error = EBADMSG;
    return !request->error;
}

/* What could not be done is in the log of the server, with its cause. */
static void failed(struct request *request, struct fth_error *error)
{
    fprintf(stderr, "fathom fs: client %u: %s\n", request->client, fth_error_text(error));
    fth_error_free(error);
    request->error = EIO;
}

static bool is_identity(const struct request *request)
{
    static const char start[] = FTH_IDENTITY_START;
    return request->length >= sizeof start - 1 &&
           memcmp(request->path, start, sizeof start - 1) == 0;
}

/* A file of this identity cannot be written: nobody has passed a descriptor of it. */
static bool is_stale(const struct request *request)
{
    return is_identity(request) &&
           !fth_published_file(request->requests->published, request->path, request->length)
                ->is_held;
}

/* Of a file that is given to the system, or of one that has the same bit: the client gives it as
 * well, and goes on without us. */
static bool take_own_path(struct request *request)
{
    const struct fth_published *published = request->requests->published;
    if (!take_path(request))
        return false;
    if (is_identity(request) && published->known &&
        fth_given_files_has(published->known, fth_known_files_bit(request->path, request->length)))
        request->error = EXDEV;
    return !request->error;
}

static void attach(struct request *request)
{
    struct fth_published *published = request->requests->published;
    struct fth_error *error = NULL;
    if (!take_own_path(request))
        return;
    if (is_stale(request)) {
        request->error = ESTALE;
        return;
    }
    uint64_t at = 0, count = fth_view_count(request->message, 3);
    published->counts.attaches++;
    for (uint64_t i = 0; i < count && !request->error; i++) {
        struct fth_interval interval = {.owner = request->client};
        interval.begin = at + fth_view_varint(request->message);
        interval.end = interval.begin + fth_view_varint(request->message);
        interval.place = fth_view_varint(request->message);
        at = interval.end;
        if (request->message->failed || interval.end <= interval.begin || interval.end > INT64_MAX)
            request->error = EBADMSG;
        else if (fth_published_attach(published, request->path, request->length, &interval, &error))
            failed(request, error);
    }
}

static void query(struct request *request)
{
    struct fth_published *published = request->requests->published;
    struct fth_interval interval;
    uint64_t count = 0;
    if (!take_path(request))
        return;
    uint64_t begin = fth_view_varint(request->message), end = fth_view_varint(request->message);
    struct fth_published_file *file = fth_published_file(published, request->path, request->length);
    published->counts.queries++;
    for (uint64_t at = begin; fth_intervals_within(&file->intervals, at, end, &interval);
         at = interval.end)
        count++;
    fth_bytes_varint(request->answer, file->end);
    fth_bytes_varint(request->answer, count);
    for (uint64_t at = begin; fth_intervals_within(&file->intervals, at, end, &interval);
         at = interval.end) {
        fth_bytes_varint(request->answer, interval.begin);
        fth_bytes_varint(request->answer, interval.end - interval.begin);
        fth_bytes_varint(request->answer, interval.place);
        fth_bytes_varint(request->answer, interval.owner);
    }
}

static void detach(struct request *request)
{
    struct fth_error *error = NULL;
    if (!take_path(request))
        return;
    uint64_t begin = fth_view_varint(request->message), end = fth_view_varint(request->message);
    request->requests->published->counts.detaches++;
    /* a journal with a record that cannot be is read up to there only */
    if (request->message->failed || begin >= end)
        request->error = EBADMSG;
    else if (fth_published_detach(request->requests->published, request->path, request->length,
                             request->client, begin, end, &error))
        failed(request, error);
}

static void detach_all(struct request *request)
{
    struct fth_error *error = NULL;
    request->requests->published->counts.detaches++;
    if (fth_published_detach_all(request->requests->published, request->client, &error))
        failed(request, error);
}

static void answer_end(struct request *request)
{
    if (!take_path(request))
        return;
    request->requests->published->counts.stats++;
    fth_bytes_varint(
        request->answer,
        fth_published_file(request->requests->published, request->path, request->length)->end);
}

static void lock(struct request *request)
{
    struct fth_published *published = request->requests->published;
    if (!take_path(request))
        return;
    uint64_t begin = fth_view_varint(request->message), end = fth_view_varint(request->message);
    bool writes = fth_view_varint(request->message) != 0;
    struct fth_interval granted;
    if (request->message->failed || begin >= end) {
        request->error = EBADMSG;
        return;
    }
    struct fth_published_file *file = fth_published_file(published, request->path, request->length);
    published->counts.locks++;
    switch (fth_lock_tokens_request(&file->tokens, request->client, begin, end,
                                    writes ? FTH_TOKEN_WRITE : FTH_TOKEN_READ, FTH_GRANT_EXTEND,
                                    FTH_GIVE_SPLIT, &granted)) {
    case FTH_TOKEN_GRANTED:
        published->counts.granted++;
        break;
    case FTH_TOKEN_LOCAL:
        published->counts.local++;
        break;
    case FTH_TOKEN_CONFLICT:
        published->counts.conflicts++;
        break;
    }
    fth_bytes_varint(request->answer, granted.begin);
    fth_bytes_varint(request->answer, granted.end);
}

static void unlock(struct request *request)
{
    if (!take_path(request))
        return;
    uint64_t begin = fth_view_varint(request->message), end = fth_view_varint(request->message);
    struct fth_published_file *file =
        fth_published_file(request->requests->published, request->path, request->length);
    fth_lock_tokens_release(&file->tokens, request->client, begin, end);
}

static void unlock_all(struct request *request)
{
    struct fth_published *published = request->requests->published;
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        fth_lock_tokens_release(&file->tokens, request->client, 0, UINT64_MAX);
    }
}

static void flush(struct request *request, const struct fth_stage_out_of *of)
{
    struct fth_requests *requests = request->requests;
    struct fth_stage_out done = {.files = 0};
    struct fth_error *error = NULL;
    if (fth_stage_out(requests->published, requests->instance, of, &done, &error))
        failed(request, error);
    fth_bytes_varint(request->answer, done.files);
    fth_bytes_varint(request->answer, done.bytes);
}

static void flush_own(struct request *request)
{
    if (take_path(request))
        flush(request, &(struct fth_stage_out_of){.owner = request->client,
                                                  .path = request->path,
                                                  .length = request->length});
}

/* The client needs the room of its buffer. */
static void reclaim(struct request *request)
{
    flush(request, &(struct fth_stage_out_of){.owner = request->client});
    if (!request->error)
        detach_all(request);
}

static bool is_it(const struct request *request, const char *path, size_t length)
{
    return !request->length ||
           (length == request->length && memcmp(path, request->path, length) == 0);
}

/* One file, or all of them. */
static void settle(struct request *request)
{
    struct fth_published *published = request->requests->published;
    struct fth_error *error = NULL;
    request->length = fth_view_varint(request->message);
    request->path = (const char *)fth_view_bytes(request->message, request->length);
    if (!request->path) {
        request->error = EBADMSG;
        return;
    }
    flush(request, &(struct fth_stage_out_of){.path = request->length ? request->path : NULL,
                                              .length = request->length});
    for (uint32_t i = 0; !request->error && i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        size_t length;
        const char *path = fth_published_path(published, i, &length);
        if (file->is_held && is_it(request, path, length) &&
            fth_published_forget(published, path, length, &error))
            failed(request, error);
    }
}

/* All of the file is below, and nobody attaches anything of it any more. */
static void give(struct request *request)
{
    struct fth_published *published = request->requests->published;
    struct fth_error *error = NULL;
    if (!take_path(request))
        return;
    if (!is_identity(request)) {
        request->error = EBADMSG;
        return;
    }
    struct fth_stage_out done = {.files = 0};
    const struct fth_stage_out_of of = {.path = request->path, .length = request->length};
    if (fth_stage_out(published, request->requests->instance, &of, &done, &error) ||
        fth_published_forget(published, request->path, request->length, &error))
        failed(request, error);
    else
        fth_given_files_add(published->known, request->path, request->length);
}

/* The end of the file: of what was attached, or in the folder below. */
static uint64_t end_of(const struct fth_published_file *file, int under, const char *path)
{
    struct stat facts;
    bool is_below =
        (file->is_held ? fstat(file->held, &facts) : fstatat(under, path, &facts, 0)) == 0;
    return is_below && (uint64_t)facts.st_size > file->end ? (uint64_t)facts.st_size : file->end;
}

static void put_file_status(const struct fth_published_file *file, uint64_t end,
                            struct fth_bytes *answer)
{
    struct fth_interval interval;
    struct fth_intern owners = {.count = 0};
    uint64_t bytes = 0, dirty = 0;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &interval); at = interval.end) {
        bytes += interval.end - interval.begin;
        fth_intern(&owners, &interval.owner, sizeof interval.owner);
        dirty += interval.state & FTH_STATE_CLEAN ? 0 : interval.end - interval.begin;
    }
    fth_bytes_varint(answer, end);
    fth_bytes_varint(answer, bytes);
    fth_bytes_varint(answer, dirty);
    fth_bytes_varint(answer, file->intervals.count);
    fth_bytes_varint(answer, owners.count);
    fth_intern_free(&owners);
}

static void status(struct request *request)
{
    const struct fth_published *published = request->requests->published;
    const struct fth_published_counts *counts = &published->counts;
    const uint64_t numbers[] = {request->requests->clients,
                                counts->attaches,
                                counts->queries,
                                counts->detaches,
                                counts->stats,
                                counts->locks,
                                counts->granted,
                                counts->local,
                                counts->conflicts,
                                counts->requests};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fth_bytes_varint(request->answer, numbers[i]);
    fth_bytes_varint(request->answer, fth_keyed_count(&published->files));
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        char *path = fth_published_name(published, i);
        fth_bytes_text(request->answer, path, strlen(path));
        put_file_status(file, end_of(file, request->requests->instance->under, path),
                        request->answer);
        free(path);
    }
}

/* Is it the file of this identity, and may be written? */
static bool is_file_of(int file, const char *identity, size_t length)
{
    char own[FTH_IDENTITY_MOST];
    struct stat facts;
    return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
           fth_identity_of(&facts, own) == length && memcmp(own, identity, length) == 0 &&
           (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static void hold(struct request *request)
{
    struct fth_error *error = NULL;
    int file = *request->passed;
    if (!take_own_path(request))
        return;
    if (file < 0 || !is_file_of(file, request->path, request->length)) {
        request->error = file < 0 ? EMFILE : EBADMSG;
        return;
    }
    *request->passed = -1;
    struct fth_requests *requests = request->requests;
    if (fth_let_go(requests->published, requests->instance, &error) ||
        fth_published_hold(requests->published, request->path, request->length, file, &error))
        failed(request, error);
}

static void truncate_file(struct request *request)
{
    struct fth_error *error = NULL;
    if (!take_own_path(request))
        return;
    uint64_t length = fth_view_varint(request->message);
    if (request->message->failed || length > INT64_MAX)
        request->error = EBADMSG;
    else if (length && is_stale(request))
        request->error = ESTALE;
    else if (fth_published_truncate(request->requests->published, request->path, request->length,
                                    length, &error))
        failed(request, error);
}

static void reserve(struct request *request)
{
    struct fth_error *error = NULL;
    if (!take_own_path(request))
        return;
    struct fth_published_file *file =
        fth_published_file(request->requests->published, request->path, request->length);
    uint64_t known = fth_view_varint(request->message), bytes = fth_view_varint(request->message);
    uint64_t begin = file->end > known ? file->end : known;
    if (request->message->failed || begin > INT64_MAX || bytes > INT64_MAX - begin) {
        request->error = EFBIG;
        return;
    }
    if (fth_published_reserve(request->requests->published, request->path, request->length,
                              begin + bytes, &error))
        failed(request, error);
    else
        fth_bytes_varint(request->answer, begin);
}

static void answer_kind(struct request *request, uint8_t kind)
{
    switch (kind) {
    case FTH_MESSAGE_ATTACH:
        attach(request);
        break;
    case FTH_MESSAGE_QUERY:
        query(request);
        break;
    case FTH_MESSAGE_DETACH:
        detach(request);
        break;
    case FTH_MESSAGE_DETACH_ALL:
        detach_all(request);
        break;
    case FTH_MESSAGE_STAT:
        answer_end(request);
        break;
    case FTH_MESSAGE_LOCK:
        lock(request);
        break;
    case FTH_MESSAGE_UNLOCK:
        unlock(request);
        break;
    case FTH_MESSAGE_UNLOCK_ALL:
        unlock_all(request);
        break;
    case FTH_MESSAGE_HOLD:
        hold(request);
        break;
    case FTH_MESSAGE_TRUNCATE:
        truncate_file(request);
        break;
    case FTH_MESSAGE_RESERVE:
        reserve(request);
        break;
    case FTH_MESSAGE_SETTLE:
        settle(request);
        break;
    case FTH_MESSAGE_GIVE:
        give(request);
        break;
    case FTH_MESSAGE_FLUSH_OWN:
        flush_own(request);
        break;
    case FTH_MESSAGE_RECLAIM:
        reclaim(request);
        break;
    case FTH_MESSAGE_STATUS:
        status(request);
        break;
    case FTH_MESSAGE_STOP:
        flush(request, &(struct fth_stage_out_of){.at_end = true});
        request->requests->stop = !request->error;
        break;
    case FTH_MESSAGE_DISCARD:
        request->requests->stop = true;
        break;
    case FTH_MESSAGE_FLUSH:
        flush(request, &(struct fth_stage_out_of){.owner = 0});
        break;
    default:
        request->error = EBADMSG;
    }
}

void fth_requests_answer(struct fth_requests *requests, uint32_t client, uint8_t kind,
                         struct fth_view *message, int *passed, struct fth_bytes *answer)
{
    struct request request = {.requests = requests,
                              .message = message,
                              .answer = answer,
                              .client = client,
                              .passed = passed};
    fth_fs_message_begin(answer, 0);
    requests->published->counts.requests++;
    answer_kind(&request, kind);
    if (message->failed && !request.error)
        request.error = EBADMSG;
    if (request.error)
        fth_fs_message_begin(answer, (uint8_t)request.error);
}
