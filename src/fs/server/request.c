/* What requests have in common. */
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

bool fth_request_take_path(struct fth_request *request)
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
void fth_request_failed(struct fth_request *request, struct fth_error *error)
{
    fprintf(stderr, "fathom fs: client %u: %s\n", request->client, fth_error_text(error));
    fth_error_free(error);
    request->error = EIO;
}

bool fth_request_is_of(const struct fth_request *request, const char *path, size_t length)
{
    return !request->length ||
           (length == request->length && memcmp(path, request->path, length) == 0);
}
