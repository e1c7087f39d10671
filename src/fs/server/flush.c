/* Requests that write to the folder below, one function for what each does behind that. */
#include "fs/server/flush.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/held_files.h"

#include <errno.h>
#include <stdio.h>

bool fth_flush_is_one(uint8_t kind)
{
    return kind == FTH_MESSAGE_FLUSH || kind == FTH_MESSAGE_FLUSH_OWN ||
           kind == FTH_MESSAGE_RECLAIM || kind == FTH_MESSAGE_SETTLE || kind == FTH_MESSAGE_GIVE;
}

/* ---- beginning ---- */

/* SETTLE may be of all files. */
static int take_path(struct fth_flush *flush, struct fth_view *message)
{
    uint64_t length = fth_view_varint(message);
    const char *path = (const char *)fth_view_bytes(message, length);
    bool is_all = path && !length && flush->kind == FTH_MESSAGE_SETTLE;
    if (!is_all && (!path || !fth_file_name_is_valid(path, length)))
        return EBADMSG;
    if (!is_all)
        flush->path = fth_text_part(path, length);
    flush->length = length;
    return 0;
}

/* Maps are those of one node. */
static int take_given(struct fth_flush *flush)
{
    if (!fth_held_is_identity(flush->path, flush->length))
        return EBADMSG;
    if (flush->requests->instance->server_count > 1)
        return ENODEV;
    fth_published_file(flush->requests->published, flush->path, flush->length)->leaving++;
    flush->holds_back = true;
    return 0;
}

static int take(struct fth_flush *flush, struct fth_view *message)
{
    bool is_of_all = flush->kind == FTH_MESSAGE_FLUSH || flush->kind == FTH_MESSAGE_RECLAIM;
    int error = is_of_all ? 0 : take_path(flush, message);
    return error || flush->kind != FTH_MESSAGE_GIVE ? error : take_given(flush);
}

static void all_is_written(struct fth_staging *staging)
{
    struct fth_flush *flush = staging->data;
    flush->has_ended = true;
}

struct fth_flush *fth_flush_begin(struct fth_requests *requests, uint32_t client, uint8_t kind,
                                  struct fth_view *message)
{
    struct fth_flush *flush = fth_new(1, sizeof *flush);
    bool is_own = kind == FTH_MESSAGE_FLUSH_OWN || kind == FTH_MESSAGE_RECLAIM;
    *flush = (struct fth_flush){.requests = requests, .client = client, .kind = kind};
    requests->published->counts.requests++;
    flush->error = take(flush, message);
    flush->has_ended = flush->error != 0;
    flush->staging = (struct fth_staging){.published = requests->published,
                                          .instance = requests->instance,
                                          .of = {.owner = is_own ? client : 0,
                                                 .path = flush->path,
                                                 .length = flush->length,
                                                 .forgets = kind == FTH_MESSAGE_SETTLE},
                                          .ended = all_is_written,
                                          .data = flush};
    fth_staging_begin(&flush->staging);
    return flush;
}

/* ---- what comes behind it ---- */

static bool has_unwritten(const struct fth_published *published, uint32_t client)
{
    struct fth_interval found;
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &found); at = found.end)
            if (found.owner == client && !(found.state & FTH_STATE_CLEAN))
                return true;
    }
    return false;
}

/* The client needs the room of its buffer. One that has attached something since does not wait for
 * this answer any more, and its bytes are not below. */
static void take_from_buffer(struct fth_flush *flush, struct fth_error **error)
{
    struct fth_published *published = flush->requests->published;
    published->counts.detaches++;
    if (has_unwritten(published, flush->client))
        flush->error = EBUSY;
    else
        fth_published_detach_all(published, flush->client, error);
}

/* All of the file is below, and nobody attaches anything of it any more. */
static void give_to_system(struct fth_flush *flush, struct fth_error **error)
{
    struct fth_published *published = flush->requests->published;
    if (!fth_published_forget(published, flush->path, flush->length, error))
        fth_known_files_give(published->known, flush->path, flush->length);
}

static void put_answer(struct fth_flush *flush, struct fth_bytes *answer)
{
    fth_fs_message_begin(answer, (uint8_t)flush->error);
    if (flush->error)
        return;
    fth_bytes_varint(answer, flush->staging.done.files);
    fth_bytes_varint(answer, flush->staging.done.bytes);
}

static void free_flush(struct fth_flush *flush)
{
    if (flush->holds_back)
        fth_published_file(flush->requests->published, flush->path, flush->length)->leaving--;
    free(flush->path);
    free(flush);
}

void fth_flush_end(struct fth_flush *flush, struct fth_bytes *answer)
{
    struct fth_error *error = flush->staging.error;
    bool may_go_on = !error && !flush->error;
    if (may_go_on && flush->kind == FTH_MESSAGE_RECLAIM)
        take_from_buffer(flush, &error);
    if (may_go_on && flush->kind == FTH_MESSAGE_GIVE)
        give_to_system(flush, &error);
    if (error) {
        fprintf(stderr, "fathom fs: client %u: %s\n", flush->client, fth_error_text(error));
        fth_error_free(error);
        flush->error = EIO;
    }
    put_answer(flush, answer);
    free_flush(flush);
}

void fth_flush_leave(struct fth_flush *flush)
{
    fth_staging_leave(&flush->staging);
    fth_error_free(flush->staging.error);
    free_flush(flush);
}
