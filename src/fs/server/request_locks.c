/* Requests for locks, which are tokens of clients: a client that gives one up has it on, until
 * another one asks for it, or it is gone itself. Who has lost one does not learn that; what it
 * attaches under that lock is refused. */
#include "fs/server/request.h"

#include "fs/protocol/buffer_file.h"
#include "fs/server/node_meeting.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

void fth_request_lock(struct fth_request *request)
{
    struct fth_published *published = request->requests->published;
    if (!fth_request_take_path(request))
        return;
    uint64_t begin = fth_view_varint(request->message), end = fth_view_varint(request->message);
    bool writes = fth_view_varint(request->message) != 0;
    struct fth_interval granted;
    if (request->message->failed || begin >= end) {
        request->error = EBADMSG;
        return;
    }
    struct fth_published_file *file = fth_published_file(published, request->path, request->length);
    enum fth_token_type type = writes ? FTH_TOKEN_WRITE : FTH_TOKEN_READ;
    published->counts.locks++;
    fth_lock_tokens_request(&file->locks, request->client, begin, end, type, FTH_GRANT_EXACT,
                            FTH_GIVE_EXACT, NULL);
    switch (fth_lock_tokens_request(&file->tokens, request->client, begin, end, type,
                                    FTH_GRANT_EXTEND, FTH_GIVE_SPLIT, &granted)) {
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

/* ---- attaches under locks ---- */

static void tell_owner(const struct fth_request *request, uint32_t owner, char *to, size_t size)
{
    const struct fth_fs_instance *instance = request->requests->instance;
    struct fth_met_node node;
    uint32_t number = owner & FTH_CLIENTS_MOST;
    if (instance->server_count > 1 && fth_node_meeting_find(instance, fth_server_of(owner), &node))
        snprintf(to, size, "client %" PRIu32 " of node '%s' has it now", number, node.name);
    else
        snprintf(to, size, "client %" PRIu32 " has it now", number);
}

static void refuse(struct fth_request *request, const struct fth_lock_tokens *locks,
                   const struct fth_interval *missing)
{
    char owner[FTH_NODE_NAME_MOST + 64] =
        "who had it then has ended, or the server was started again";
    uint32_t at = 0, who;
    if (fth_lock_tokens_in_the_way(locks, request->client, missing->begin, missing->end,
                                   FTH_TOKEN_WRITE, &at, &who))
        tell_owner(request, who, owner, sizeof owner);
    request->error = ENOLCK;
    if (asprintf(&request->why,
                 "bytes %" PRIu64 " to %" PRIu64
                 " are not published, as the lock that they were written under is lost: %s",
                 missing->begin, missing->end, owner) < 0)
        request->why = NULL;
}

static bool has_locks(struct fth_request *request, const struct fth_lock_tokens *locks,
                      const struct fth_interval *interval, uint64_t begin, uint64_t end)
{
    struct fth_interval missing;
    begin = begin > interval->begin ? begin : interval->begin;
    end = end < interval->end ? end : interval->end;
    if (begin >= end || fth_lock_tokens_has(locks, request->client, begin, end, &missing))
        return true;
    refuse(request, locks, &missing);
    return false;
}

/* Both lists go upwards, so each is walked through once. */
bool fth_request_has_locks(struct fth_request *request, const struct fth_interval *list,
                           size_t count)
{
    struct fth_view *message = request->message;
    if (!fth_view_left(message))
        return true;
    const struct fth_lock_tokens *locks =
        &fth_published_file(request->requests->published, request->path, request->length)->locks;
    size_t i = 0;
    for (uint64_t begin, end = 0; fth_view_left(message) && !request->error;) {
        begin = end + fth_view_varint(message);
        end = begin + fth_view_varint(message);
        if (message->failed || end <= begin || end > INT64_MAX) {
            request->error = EBADMSG;
            break;
        }
        while (i < count && list[i].end <= begin)
            i++;
        for (size_t j = i; j < count && list[j].begin < end && !request->error; j++)
            has_locks(request, locks, &list[j], begin, end);
    }
    return !request->error;
}

/* ---- clients that are gone ---- */

void fth_requests_unlock(struct fth_requests *requests, uint32_t client)
{
    for (uint32_t i = 0; i < fth_keyed_count(&requests->published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&requests->published->files, i);
        fth_lock_tokens_release(&file->tokens, client, 0, UINT64_MAX);
        fth_lock_tokens_release(&file->locks, client, 0, UINT64_MAX);
    }
}
