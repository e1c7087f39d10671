/* Requests of clients, one function for each kind. */
#include "fs/server/requests.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/held_files.h"
#include "fs/server/kept_copy.h"
#include "fs/server/let_go.h"
#include "fs/server/request.h"
#include "fs/server/share_of_file.h"
#include "fs/server/stage_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of this identity cannot be written: nobody has passed a descriptor of it. Of what comes
 * from another node, that one's server has it. */
static bool is_stale(const struct fth_request *request)
{
    return !request->is_part &&
           !fth_requests_may_attach(request->requests, request->path, request->length);
}

/* Of a file that is given to the system, or of one that has the same bit: the client gives it as
 * well, and goes on without us. */
static bool take_own_path(struct fth_request *request)
{
    const struct fth_published *published = request->requests->published;
    if (!fth_request_take_path(request))
        return false;
    if (fth_held_is_identity(request->path, request->length) && published->known &&
        fth_known_files_is_given(published->known,
                                 fth_known_files_bit(request->path, request->length)))
        request->error = EXDEV;
    return !request->error;
}

/* Nobody has anything of the block that it lies in. */
static bool is_first_of_block(const struct fth_request *request,
                              const struct fth_interval *interval)
{
    const struct fth_published_file *file =
        fth_published_file(request->requests->published, request->path, request->length);
    uint64_t block = fth_share_block(interval->begin);
    struct fth_interval found;
    return !fth_intervals_within(&file->intervals, block << FTH_SHARE_SHIFT,
                                 (block + 1) << FTH_SHARE_SHIFT, &found);
}

/* To be freed. How many are the first of their block is in the answer. */
static struct fth_interval *take_intervals(struct fth_request *request, size_t *count)
{
    struct fth_interval *list = NULL;
    uint64_t at = 0;
    *count = 0;
    for (uint64_t left = fth_view_count(request->message, 3); left-- && !request->error;) {
        struct fth_interval interval = {.owner = request->client};
        interval.begin = at + fth_view_varint(request->message);
        interval.end = interval.begin + fth_view_varint(request->message);
        interval.place = fth_view_varint(request->message);
        at = interval.end;
        if (request->message->failed || interval.end <= interval.begin ||
            interval.end > INT64_MAX) {
            request->error = EBADMSG;
            break;
        }
        request->noted.answer += request->is_part && is_first_of_block(request, &interval);
        FTH_GROW(list, *count);
        list[(*count)++] = interval;
    }
    return list;
}

static void attach(struct fth_request *request)
{
    struct fth_published *published = request->requests->published;
    struct fth_error *error = NULL;
    if (!take_own_path(request))
        return;
    if (is_stale(request)) {
        request->error = ESTALE;
        return;
    }
    size_t count;
    struct fth_interval *list = take_intervals(request, &count);
    published->counts.attaches++;
    if (!request->error && fth_request_has_locks(request, list, count) && count &&
        fth_published_attach(published, request->path, request->length, list, count,
                             &request->noted, &error))
        fth_request_failed(request, error);
    free(list);
    fth_bytes_varint(request->answer, request->noted.answer);
}

static uint64_t end_of_attached(const struct fth_request *request)
{
    const struct fth_published *published = request->requests->published;
    uint32_t number;
    return fth_keyed_number(&published->files, request->path, request->length, &number)
               ? fth_published_end(published, number)
               : 0;
}

static void query(struct fth_request *request)
{
    struct fth_published *published = request->requests->published;
    struct fth_interval interval;
    uint64_t count = 0;
    if (!fth_request_take_path(request))
        return;
    uint64_t begin = fth_view_varint(request->message), end = fth_view_varint(request->message);
    struct fth_published_file *file = fth_published_file(published, request->path, request->length);
    published->counts.queries++;
    for (uint64_t at = begin; fth_intervals_within(&file->intervals, at, end, &interval);
         at = interval.end)
        count++;
    fth_bytes_varint(request->answer, end_of_attached(request));
    fth_bytes_varint(request->answer, 1); /* the end is known */
    fth_bytes_varint(request->answer, count);
    for (uint64_t at = begin; fth_intervals_within(&file->intervals, at, end, &interval);
         at = interval.end) {
        fth_bytes_varint(request->answer, interval.begin);
        fth_bytes_varint(request->answer, interval.end - interval.begin);
        fth_bytes_varint(request->answer, interval.place);
        fth_bytes_varint(request->answer, interval.owner);
    }
}

static void detach(struct fth_request *request)
{
    struct fth_error *error = NULL;
    if (!fth_request_take_path(request))
        return;
    uint64_t begin = fth_view_varint(request->message), end = fth_view_varint(request->message);
    request->requests->published->counts.detaches++;
    /* a journal with a record that cannot be is read up to there only */
    if (request->message->failed || begin >= end)
        request->error = EBADMSG;
    else if (fth_published_detach(request->requests->published, request->path, request->length,
                                  request->client, begin, end, &error))
        fth_request_failed(request, error);
}

static void detach_all(struct fth_request *request)
{
    struct fth_error *error = NULL;
    request->requests->published->counts.detaches++;
    if (fth_published_detach_all(request->requests->published, request->client, &error))
        fth_request_failed(request, error);
}

/* Of several servers, when all have written what the client attached. */
static void reclaim(struct fth_request *request)
{
    struct fth_error *error = NULL;
    request->error = fth_published_reclaim(request->requests->published, request->client, &error);
    if (error)
        fth_request_failed(request, error);
}

static void answer_end(struct fth_request *request)
{
    if (!fth_request_take_path(request))
        return;
    request->requests->published->counts.stats++;
    fth_bytes_varint(request->answer, end_of_attached(request));
}

/* All else that writes to the folder below is done in pieces (flush.h). */
static void stop(struct fth_request *request)
{
    struct fth_requests *requests = request->requests;
    struct fth_stage_out done = {.files = 0};
    struct fth_error *error = NULL;
    if (fth_stage_out(requests->published, requests->instance,
                      &(struct fth_stage_out_of){.at_end = true}, &done, &error))
        fth_request_failed(request, error);
    fth_bytes_varint(request->answer, done.files);
    fth_bytes_varint(request->answer, done.bytes);
    requests->stop = !request->error;
}

/* Is it the file of this identity, and may be written? */
static bool is_file_of(int file, const struct fth_request *request)
{
    char own[FTH_IDENTITY_MOST];
    struct stat facts, below;
    uint64_t born = request->requests->instance->server_count > 1 ? fth_held_born(file, "") : 0;
    return fstat(file, &facts) == 0 && fstat(request->requests->instance->under, &below) == 0 &&
           S_ISREG(facts.st_mode) && facts.st_dev == below.st_dev &&
           fth_identity_of(&facts, born, own) == request->length &&
           memcmp(own, request->path, request->length) == 0 &&
           (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static void hold(struct fth_request *request)
{
    struct fth_error *error = NULL;
    int file = *request->passed;
    if (!take_own_path(request))
        return;
    if (file < 0 || !is_file_of(file, request)) {
        request->error = file < 0 ? EMFILE : EBADMSG;
        return;
    }
    *request->passed = -1;
    struct fth_requests *requests = request->requests;
    if ((!requests->published->servers &&
         fth_let_go(requests->published, requests->instance, &error)) ||
        fth_published_hold(requests->published, request->path, request->length, file, &error))
        fth_request_failed(request, error);
}

static void cut(struct fth_request *request, uint64_t length)
{
    struct fth_published *published = request->requests->published;
    struct fth_error *error = NULL;
    const struct fth_published_file *file =
        fth_published_file(published, request->path, request->length);
    request->noted.answer = file->end;
    if (file->unanswered) /* somebody may still write what is to be cut off */
        request->error = EIO;
    else if (fth_published_truncate(published, request->path, request->length, &request->noted,
                                    length, &error))
        fth_request_failed(request, error);
    else
        fth_bytes_varint(request->answer, request->noted.answer);
}

static void truncate_file(struct fth_request *request)
{
    if (!take_own_path(request))
        return;
    uint64_t length = fth_view_varint(request->message);
    if (request->message->failed || length > INT64_MAX)
        request->error = EBADMSG;
    else if (length && is_stale(request))
        request->error = ESTALE;
    else
        cut(request, length);
}

static void reserve(struct fth_request *request)
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
    request->noted.answer = begin;
    if (fth_published_reserve(request->requests->published, request->path, request->length,
                              &request->noted, begin + bytes, &error))
        fth_request_failed(request, error);
    else
        fth_bytes_varint(request->answer, begin);
}

static void answer_kind(struct fth_request *request, uint8_t kind)
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
        fth_request_lock(request);
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
    case FTH_MESSAGE_STATUS:
        fth_request_status(request);
        break;
    case FTH_MESSAGE_LOSSES:
        fth_request_losses(request);
        break;
    case FTH_MESSAGE_STOP:
        stop(request);
        break;
    case FTH_MESSAGE_DISCARD:
        request->requests->stop = true;
        break;
    default:
        request->error = EBADMSG;
    }
}

/* What was done before gets the answer that it had. */
static void answer_once(struct fth_request *request, void (*of)(struct fth_request *, uint8_t))
{
    switch (fth_noted_find(&request->requests->published->noted, &request->noted)) {
    case FTH_NOTED_NOT:
        of(request, request->noted.kind);
        break;
    case FTH_NOTED_DONE:
        fth_bytes_varint(request->answer, request->noted.answer);
        break;
    case FTH_NOTED_OLD:
        request->error = EBADMSG;
    }
}

static void answer(struct fth_request *request, const struct fth_asker *asker, uint8_t kind,
                   void (*of)(struct fth_request *, uint8_t))
{
    request->client = asker->client;
    request->noted = (struct fth_noted){.asker = *asker, .kind = kind};
    fth_fs_message_begin(request->answer, 0);
    request->requests->published->counts.requests++;
    answer_once(request, of);
    if (request->message->failed && !request->error)
        request->error = EBADMSG;
    if (request->error)
        fth_fs_message_begin(request->answer, (uint8_t)request->error);
    if (request->why)
        fth_bytes_put(request->answer, request->why, strlen(request->why));
    free(request->why);
}

void fth_requests_answer(struct fth_requests *requests, const struct fth_asker *asker, uint8_t kind,
                         struct fth_view *message, int *passed, struct fth_bytes *to)
{
    answer(
        &(struct fth_request){
            .requests = requests, .message = message, .answer = to, .passed = passed},
        asker, kind, answer_kind);
}

/* ---- parts ---- */

static void answer_part(struct fth_request *request, uint8_t kind)
{
    switch (kind) {
    case FTH_MESSAGE_ATTACH:
    case FTH_MESSAGE_QUERY:
    case FTH_MESSAGE_DETACH:
    case FTH_MESSAGE_DETACH_ALL:
    case FTH_MESSAGE_STAT:
    case FTH_MESSAGE_LOCK:
    case FTH_MESSAGE_TRUNCATE:
    case FTH_MESSAGE_RESERVE:
    case FTH_MESSAGE_STATUS:
    case FTH_MESSAGE_LOSSES:
    case FTH_MESSAGE_DISCARD:
        answer_kind(request, kind);
        break;
    case FTH_MESSAGE_RECLAIM:
        reclaim(request);
        break;
    case FTH_MESSAGE_UNLOCK:
        fth_requests_unlock(request->requests, request->client);
        break;
    case FTH_MESSAGE_COPY_BYTES:
        fth_request_copy_bytes(request);
        break;
    case FTH_MESSAGE_COPY_RECORDS:
        fth_request_copy_records(request);
        break;
    case FTH_MESSAGE_FETCH:
        fth_request_fetch(request);
        break;
    case FTH_MESSAGE_FORGET:
        fth_request_forget(request);
        break;
    case FTH_MESSAGE_GIVE_UP:
        fth_request_give_up(request);
        break;
    case FTH_MESSAGE_WRITE:
        fth_request_write(request);
        break;
    case FTH_MESSAGE_UNWRITTEN:
        fth_request_unwritten(request);
        break;
    case FTH_MESSAGE_HIDE:
        fth_request_hide(request);
        break;
    case FTH_MESSAGE_SHOW:
        fth_request_show(request);
        break;
    default:
        request->error = EBADMSG;
    }
}

void fth_requests_answer_part(struct fth_requests *requests, const struct fth_asker *asker,
                              uint8_t kind, struct fth_view *message, struct fth_bytes *to)
{
    answer(
        &(struct fth_request){
            .requests = requests, .message = message, .answer = to, .is_part = true},
        asker, kind, answer_part);
}

bool fth_requests_may_attach(const struct fth_requests *requests, const char *path, size_t length)
{
    return !fth_held_is_identity(path, length) ||
           fth_published_file(requests->published, path, length)->is_held;
}
