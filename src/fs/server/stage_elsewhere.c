/* What other servers write of a file, as the bytes are on their nodes. */
#include "fs/server/stage_out.h"

#include "base/memory.h"

#include <string.h>

enum {
    PIECES_MOST = 4096,     /* intervals that another server is asked to write at a time */
    BYTES_MOST = 256 << 20, /* the same, so that its answer does not take long */
};

static void send_piece(struct fth_staging *staging, uint32_t server, const struct fth_bytes *pieces,
                       uint64_t count)
{
    struct fth_bytes fields = {.data = NULL};
    size_t length;
    const char *key = fth_published_path(staging->published, staging->file, &length);
    const char *name = !staging->has_target || fth_staging_file(staging)->is_held ? ""
                       : *staging->target.part ? staging->target.part
                                               : staging->target.path;
    fth_bytes_text(&fields, key, length);
    fth_bytes_text(&fields, name, strlen(name));
    fth_bytes_varint(&fields, staging->end);
    fth_bytes_varint(&fields, count);
    fth_bytes_put(&fields, pieces->data, pieces->length);
    staging->waiting++;
    staging->elsewhere(staging->data, server, &fields, staging);
    fth_bytes_free(&fields);
}

static void write_elsewhere(struct fth_staging *staging, uint32_t server)
{
    struct fth_bytes pieces = {.data = NULL};
    uint64_t count = 0, bytes = 0;
    for (size_t i = 0; i < staging->chosen_count; i++) {
        const struct fth_interval *interval = &staging->chosen[i];
        if (fth_server_of(interval->owner) != server)
            continue;
        fth_bytes_varint(&pieces, interval->begin);
        fth_bytes_varint(&pieces, interval->end - interval->begin);
        fth_bytes_varint(&pieces, interval->place);
        fth_bytes_varint(&pieces, interval->owner);
        bytes += interval->end - interval->begin;
        if (++count < PIECES_MOST && bytes < BYTES_MOST)
            continue;
        send_piece(staging, server, &pieces, count);
        count = bytes = pieces.length = 0;
    }
    if (count)
        send_piece(staging, server, &pieces, count);
    fth_bytes_free(&pieces);
}

static void write_elsewhere_or_fail(struct fth_staging *staging, uint32_t server)
{
    struct fth_error *error = NULL;
    if (server + 1 != staging->lost) {
        write_elsewhere(staging, server);
        return;
    }
    fth_fail(&error, "'%s' cannot be written in the folder below: server %u does not answer",
             staging->name, server);
    fth_staging_fail(staging, error);
}

/* The servers of the chosen bytes, each once. */
void fth_staging_write_elsewhere(struct fth_staging *staging)
{
    bool *seen = fth_new(staging->instance->server_count, sizeof *seen);
    seen[staging->instance->server] = true;
    for (size_t i = 0; i < staging->chosen_count; i++) {
        uint32_t server = fth_server_of(staging->chosen[i].owner);
        if (server >= staging->instance->server_count || seen[server])
            continue;
        seen[server] = true;
        write_elsewhere_or_fail(staging, server);
    }
    const struct fth_published_file *file = fth_staging_file(staging);
    if (file->lengthener && !staging->of.owner) {
        uint32_t server = fth_server_of(file->lengthener);
        const struct fth_bytes none = {.data = NULL};
        if (server < staging->instance->server_count && !seen[server])
            send_piece(staging, server, &none, 0);
    }
    free(seen);
}

void fth_staging_ask_whether_written(struct fth_staging *staging, uint32_t server)
{
    const struct fth_bytes none = {.data = NULL};
    staging->end = 0;
    send_piece(staging, server, &none, 0);
}
