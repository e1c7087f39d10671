/* Requests of clients, one function for each kind. */
#include "fs/server/requests.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/file_names.h"
#include "fs/server/stage_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A request on its way: what it is about, and the errno that it is answered with. */
struct request {
    struct fth_requests *requests;
    struct fth_view *message;
    struct fth_bytes *answer;
    const char *path;
    size_t length;
    uint32_t client;
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

static void attach(struct request *request)
{
    struct fth_published *published = request->requests->published;
    struct fth_error *error = NULL;
    if (!take_path(request))
        return;
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
    if (fth_published_detach(request->requests->published, request->path, request->length,
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
        flush(request, &(struct fth_stage_out_of){request->client, request->path, request->length});
}

/* The client needs the room of its buffer. */
static void reclaim(struct request *request)
{
    flush(request, &(struct fth_stage_out_of){.owner = request->client});
    if (!request->error)
        detach_all(request);
}

/* The end of the file: of what was attached, or in the folder below. */
static uint64_t end_of(const struct fth_published_file *file, int under, const char *name,
                       size_t length)
{
    char *path = fth_text_part(name, length);
    struct stat status;
    bool is_below = fstatat(under, path, &status, 0) == 0 && (uint64_t)status.st_size > file->end;
    free(path);
    return is_below ? (uint64_t)status.st_size : file->end;
}

static void put_file_status(const struct fth_published_file *file, uint64_t end,
                            struct fth_bytes *answer)
{
    struct fth_interval interval;
    uint64_t bytes = 0, dirty = 0;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &interval); at = interval.end) {
        bytes += interval.end - interval.begin;
        dirty += interval.state & FTH_STATE_CLEAN ? 0 : interval.end - interval.begin;
    }
    fth_bytes_varint(answer, end);
    fth_bytes_varint(answer, bytes);
    fth_bytes_varint(answer, dirty);
    fth_bytes_varint(answer, file->intervals.count);
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
                                counts->conflicts};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fth_bytes_varint(request->answer, numbers[i]);
    fth_bytes_varint(request->answer, fth_keyed_count(&published->files));
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        size_t length;
        const char *path = fth_published_path(published, i, &length);
        fth_bytes_text(request->answer, path, length);
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        put_file_status(file, end_of(file, request->requests->instance->under, path, length),
                        request->answer);
    }
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
        flush(request, &(struct fth_stage_out_of){.owner = 0});
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
                         struct fth_view *message, struct fth_bytes *answer)
{
    struct request request = {
        .requests = requests, .message = message, .answer = answer, .client = client};
    fth_fs_message_begin(answer, 0);
    answer_kind(&request, kind);
    if (message->failed && !request.error)
        request.error = EBADMSG;
    if (request.error)
        fth_fs_message_begin(answer, (uint8_t)request.error);
}
