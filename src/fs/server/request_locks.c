/* Requests for locks, which are tokens of clients: a client that gives one up has it on, until
 * another one asks for it, or it is gone itself. */
#include "fs/server/request.h"

#include <errno.h>

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

void fth_requests_unlock(struct fth_requests *requests, uint32_t client)
{
    for (uint32_t i = 0; i < fth_keyed_count(&requests->published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&requests->published->files, i);
        fth_lock_tokens_release(&file->tokens, client, 0, UINT64_MAX);
    }
}
