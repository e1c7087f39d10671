/* What only other servers ask for: bytes of buffers of this node, writing them to the folder below,
 * and forgetting what is there. */
#include "fs/server/request.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/held_files.h"
#include "fs/server/share_of_file.h"
#include "fs/server/stage_target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void fth_request_fetch(struct fth_request *request)
{
    uint64_t owner = fth_view_varint(request->message), place = fth_view_varint(request->message),
             bytes = fth_view_varint(request->message);
    const struct fth_fs_instance *instance = request->requests->instance;
    if (request->message->failed || !bytes || bytes > FTH_FETCH_MOST || owner > UINT32_MAX ||
        fth_server_of((uint32_t)owner) != instance->server) {
        request->error = EBADMSG;
        return;
    }
    request->requests->buffers.size = sizeof(struct fth_buffer_file);
    struct fth_buffer_file *buffer =
        fth_buffer_file_of(&request->requests->buffers, instance->folder, (uint32_t)owner);
    uint8_t *to = fth_bytes_room(request->answer, bytes);
    if (buffer && fth_buffer_file_copy(buffer, place, to, bytes))
        request->answer->length += bytes;
    else
        request->error = ENODATA;
}

/* Of one file, or all that are known by their identity: what is below is forgotten here. First the
 * homes of files forget their ends, then everybody else what they have; who has something that is
 * not below by then says so, as its end has to be known again. */
void fth_request_forget(struct fth_request *request)
{
    struct fth_published *published = request->requests->published;
    const struct fth_fs_instance *instance = request->requests->instance;
    struct fth_error *error = NULL;
    request->length = fth_view_varint(request->message);
    request->path = (const char *)fth_view_bytes(request->message, request->length);
    bool is_last = fth_view_varint(request->message) != 0;
    if (request->message->failed) {
        request->error = EBADMSG;
        return;
    }
    for (uint32_t i = 0; !request->error && i < fth_keyed_count(&published->files); i++) {
        struct fth_published_file *file = fth_keyed_item(&published->files, i);
        size_t length;
        const char *path = fth_published_path(published, i, &length);
        bool is_home =
            fth_share_server(instance->server_count, path, length, 0) == instance->server;
        if (!fth_held_is_identity(path, length) || !fth_request_is_of(request, path, length) ||
            (!is_last && !is_home))
            continue;
        if (is_last)
            fth_published_hold_to_read(file);
        if (fth_published_is_dirty(file) && is_last) {
            fth_bytes_text(request->answer, path, length);
            fth_bytes_varint(request->answer, fth_intervals_end(&file->intervals));
        } else if (!fth_published_is_dirty(file) && (file->intervals.count || file->end) &&
                   (!is_last || !is_home || file->intervals.count) &&
                   fth_published_truncate(published, path, length, NULL, 0, &error)) {
            fth_request_failed(request, error);
        }
    }
}

void fth_request_write(struct fth_request *request)
{
    struct fth_error *error = NULL;
    int64_t bytes = fth_stage_target_part(request->requests->published, request->requests->instance,
                                          request->message, &error);
    if (bytes == FTH_STAGE_LOST)
        fth_error_free(error);
    if (bytes == FTH_STAGE_GONE)
        request->error = ENOENT;
    else if (bytes == FTH_STAGE_LOST)
        request->error = ENODATA;
    else if (bytes < 0)
        fth_request_failed(request, error);
    else
        fth_bytes_varint(request->answer, (uint64_t)bytes);
}

void fth_request_give_up(struct fth_request *request)
{
    struct fth_error *error = NULL;
    if (fth_request_take_path(request) &&
        fth_published_give_up(request->requests->published, request->path, request->length,
                              fth_server_of(request->client), &error))
        fth_request_failed(request, error);
}
