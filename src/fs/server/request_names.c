/* Names of files at the end of an instance on several nodes: a server takes the names away of files
 * that it holds, and that any server is going to write to, and gives them back to those that are
 * whole. */
#include "fs/server/request.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/held_files.h"
#include "fs/server/hidden_names.h"
#include "fs/server/share_of_file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

void fth_request_unwritten(struct fth_request *request)
{
    struct fth_published *published = request->requests->published;
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        size_t length;
        const char *path = fth_published_path(published, i, &length);
        if (fth_held_is_identity(path, length) &&
            (file->lengthener || file->unanswered || fth_published_is_dirty(file)))
            fth_bytes_text(request->answer, path, length);
    }
}

/* NULL: there is none. */
static const char *next_path(struct fth_view *message, size_t *length)
{
    if (message->failed || !fth_view_left(message))
        return NULL;
    *length = fth_view_varint(message);
    return (const char *)fth_view_bytes(message, *length);
}

/* What cannot be hidden is written under the name that it has. */
static void hide(const struct fth_published *published, uint32_t number)
{
    const struct fth_published_file *file = fth_keyed_item(&published->files, number);
    char path[PATH_MAX], part[PATH_MAX];
    if (!file->is_held)
        return;
    char *name = fth_published_name(published, number);
    snprintf(path, sizeof path, "%s", name);
    free(name);
    fth_hidden_name_begin(published->under, file->held, path, part);
}

void fth_request_hide(struct fth_request *request)
{
    const struct fth_published *published = request->requests->published;
    const char *path;
    size_t length;
    uint32_t number;
    while ((path = next_path(request->message, &length)))
        if (fth_keyed_number(&published->files, path, length, &number))
            hide(published, number);
}

/* Another server may have been first. */
static void show(struct fth_request *request, uint32_t number)
{
    const struct fth_published *published = request->requests->published;
    const struct fth_published_file *file = fth_keyed_item(&published->files, number);
    int under = published->under;
    char whole[PATH_MAX];
    struct fth_error *error = NULL;
    char *name = fth_published_name(published, number);
    if (fth_file_name_of_whole(name, whole) && fth_hidden_name_is_only(under, name, file->held) &&
        fth_hidden_name_end(under, name, whole)) {
        int why = errno;
        if (!fth_hidden_name_is_only(under, whole, file->held)) {
            errno = why;
            fth_fail_errno(&error, "'%s' cannot be ended in the folder below", whole);
            fth_request_failed(request, error);
        }
    }
    free(name);
}

/* Any of its blocks belongs to a server that does not answer, as far as its length says that. */
static bool is_doubtful(const struct fth_request *request, uint32_t number, const bool *lost)
{
    const struct fth_published *published = request->requests->published;
    const struct fth_published_file *file = fth_keyed_item(&published->files, number);
    uint32_t servers = request->requests->instance->server_count;
    size_t length;
    const char *path = fth_published_path(published, number, &length);
    bool is_any_lost = false;
    struct stat facts;
    for (uint32_t i = 0; i < servers; i++)
        is_any_lost |= lost[i];
    return lost[fth_share_server(servers, path, length, 0)] ||
           (is_any_lost && (fstat(file->held, &facts) || facts.st_size >> FTH_SHARE_SHIFT));
}

void fth_request_show(struct fth_request *request)
{
    const struct fth_published *published = request->requests->published;
    uint32_t servers = request->requests->instance->server_count;
    bool *lost = fth_new(servers, sizeof *lost);
    struct fth_keyed rest = {.size = 1};
    const char *path;
    size_t length;
    for (uint64_t count = fth_view_count(request->message, 1); count--;) {
        uint64_t server = fth_view_varint(request->message);
        if (server < servers)
            lost[server] = true;
    }
    while ((path = next_path(request->message, &length)))
        fth_keyed_get(&rest, path, length);
    for (uint32_t i = 0; !request->message->failed && i < fth_keyed_count(&published->files); i++) {
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        path = fth_published_path(published, i, &length);
        if (file->is_held && !fth_keyed_has(&rest, path, length) && !is_doubtful(request, i, lost))
            show(request, i);
    }
    fth_keyed_free(&rest);
    free(lost);
}
