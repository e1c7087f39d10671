/* Requests that write to the folder below, one function for what each does behind that. */
#include "fs/server/flush.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/held_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool fth_flush_is_one(uint8_t kind, bool is_part)
{
    if (is_part)
        return kind == FTH_MESSAGE_WRITE_OUT;
    return kind == FTH_MESSAGE_FLUSH || kind == FTH_MESSAGE_FLUSH_OWN ||
           kind == FTH_MESSAGE_RECLAIM || kind == FTH_MESSAGE_SETTLE || kind == FTH_MESSAGE_GIVE;
}

/* ---- beginning ---- */

/* SETTLE and WRITE_OUT may be of all files. */
static int take_path(struct fth_flush *flush, struct fth_view *message)
{
    uint64_t length = fth_view_varint(message);
    const char *path = (const char *)fth_view_bytes(message, length);
    bool is_all = path && !length &&
                  (flush->kind == FTH_MESSAGE_SETTLE || flush->kind == FTH_MESSAGE_WRITE_OUT);
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

static int take_owner(struct fth_flush *flush, struct fth_view *message)
{
    uint64_t owner = fth_view_varint(message);
    flush->owner = (uint32_t)owner;
    return message->failed || owner > UINT32_MAX ? EBADMSG : 0;
}

static int take(struct fth_flush *flush, struct fth_view *message)
{
    bool is_of_all = flush->kind == FTH_MESSAGE_FLUSH || flush->kind == FTH_MESSAGE_RECLAIM;
    int error = is_of_all ? 0 : take_path(flush, message);
    if (error)
        return error;
    switch (flush->kind) {
    case FTH_MESSAGE_GIVE:
        return take_given(flush);
    case FTH_MESSAGE_WRITE_OUT:
        return take_owner(flush, message);
    case FTH_MESSAGE_FLUSH_OWN:
    case FTH_MESSAGE_RECLAIM:
        flush->owner = flush->client;
        return 0;
    default:
        return 0;
    }
}

static void all_is_written(struct fth_staging *staging)
{
    struct fth_flush *flush = staging->data;
    flush->has_ended = true;
}

struct fth_flush *fth_flush_begin(struct fth_requests *requests,
                                  const struct fth_flush_elsewhere *elsewhere, uint32_t client,
                                  uint8_t kind, struct fth_view *message)
{
    struct fth_flush *flush = fth_new(1, sizeof *flush);
    *flush = (struct fth_flush){.requests = requests, .client = client, .kind = kind};
    requests->published->counts.requests++;
    flush->error = take(flush, message);
    flush->has_ended = flush->error != 0;
    flush->staging = (struct fth_staging){.published = requests->published,
                                          .instance = requests->instance,
                                          .of = {.owner = flush->owner,
                                                 .path = flush->path,
                                                 .length = flush->length,
                                                 .forgets = kind == FTH_MESSAGE_SETTLE},
                                          .elsewhere = elsewhere->ask,
                                          .elsewhere_data = elsewhere->data,
                                          .ended = all_is_written,
                                          .data = flush};
    fth_staging_begin(&flush->staging);
    return flush;
}

/* ---- what comes behind it ---- */

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
    fth_bytes_put(answer, flush->staging.shared.data, flush->staging.shared.length);
}

static void free_flush(struct fth_flush *flush)
{
    if (flush->holds_back)
        fth_published_file(flush->requests->published, flush->path, flush->length)->leaving--;
    fth_bytes_free(&flush->staging.shared);
    free(flush->path);
    free(flush);
}

void fth_flush_end(struct fth_flush *flush, struct fth_bytes *answer)
{
    struct fth_error *error = flush->staging.error;
    bool may_go_on = !error && !flush->error;
    if (may_go_on && flush->kind == FTH_MESSAGE_RECLAIM)
        flush->error = fth_published_reclaim(flush->requests->published, flush->client, &error);
    if (may_go_on && flush->kind == FTH_MESSAGE_GIVE)
        give_to_system(flush, &error);
    flush->error = error ? EIO : flush->error;
    put_answer(flush, answer);
    if (error) {
        const char *why = fth_error_text(error);
        fprintf(stderr, "fathom fs: client %u: %s\n", flush->client, why);
        fth_bytes_put(answer, why, strlen(why));
        fth_error_free(error);
    }
    free_flush(flush);
}

void fth_flush_leave(struct fth_flush *flush)
{
    fth_staging_leave(&flush->staging);
    fth_error_free(flush->staging.error);
    free_flush(flush);
}
