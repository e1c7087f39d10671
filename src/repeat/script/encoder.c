/* Handles, blobs and streams of the writer of scripts: see the header. */
#include "repeat/script/encoder.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool fth_alive_has(const struct fth_alive *alive, unsigned handle_class, int64_t slot)
{
    return slot >= 0 && slot < alive->limits[handle_class] && alive->slots[handle_class][slot];
}

bool fth_alive_set(struct fth_encoder *encoder, unsigned handle_class, int64_t slot, bool is_there)
{
    struct fth_alive *alive = &encoder->now;
    if (slot < 0 || slot >= FTH_MOST_SLOTS)
        return false;
    alive->slots[handle_class] =
        fth_reach(alive->slots[handle_class], &alive->limits[handle_class], (uint32_t)slot, 1);
    alive->slots[handle_class][slot] = is_there;
    if (slot >= encoder->class_sizes[handle_class])
        encoder->class_sizes[handle_class] = (uint32_t)slot + 1;
    return true;
}

void fth_alive_copy(struct fth_alive *to, const struct fth_alive *from)
{
    for (unsigned i = 0; i < FTH_SCRIPT_CLASSES; i++) {
        free(to->slots[i]);
        to->limits[i] = from->limits[i];
        to->slots[i] = fth_new(from->limits[i] + 1, 1);
        if (from->limits[i])
            memcpy(to->slots[i], from->slots[i], from->limits[i]);
    }
}

void fth_alive_free(struct fth_alive *alive)
{
    for (unsigned i = 0; i < FTH_SCRIPT_CLASSES; i++)
        free(alive->slots[i]);
    *alive = (struct fth_alive){0};
}

int64_t fth_encoder_blob(struct fth_encoder *encoder, const void *bytes, size_t length)
{
    return fth_intern(&encoder->blobs, bytes, length);
}

int64_t fth_encoder_text(struct fth_encoder *encoder, const char *text)
{
    return fth_encoder_blob(encoder, text, strlen(text) + 1);
}

const char fth_buffer_too_large[] = "its buffer would have more than 64 GiB";

const char *fth_encoder_needs(struct fth_encoder *encoder, uint64_t bytes)
{
    if (bytes > (uint64_t)FTH_LARGEST_BUFFER)
        return fth_buffer_too_large;
    if (bytes > encoder->summary->buffer_bytes)
        encoder->summary->buffer_bytes = bytes;
    return NULL;
}

/* ---- operations ---- */

/* A thread begins when its first call comes, in the script of the one that started it. */
static void begin_thread(struct fth_encoder *encoder, uint32_t thread, uint32_t parent,
                         int64_t start)
{
    if (!thread || encoder->streams[thread].begun)
        return;
    encoder->streams[thread].begun = true;
    encoder->streams =
        fth_reach(encoder->streams, &encoder->stream_limit, parent, sizeof *encoder->streams);
    const int64_t argument = thread;
    const struct fth_script_op op = {.function = (uint16_t)encoder->recipes->count,
                                     .what = FTH_SCRIPT_THREAD,
                                     .count = 1,
                                     .flags = FTH_SCRIPT_SILENT,
                                     .start = start};
    fth_encoder_put(encoder, parent < thread ? parent : 0, &op, &argument, NULL, -1);
}

void fth_encoder_put(struct fth_encoder *encoder, uint32_t thread, const struct fth_script_op *op,
                     const int64_t *arguments, const struct fth_recipe *recipe, int64_t slot)
{
    encoder->streams =
        fth_reach(encoder->streams, &encoder->stream_limit, thread, sizeof *encoder->streams);
    if (thread >= encoder->thread_count)
        encoder->thread_count = thread + 1;
    begin_thread(encoder, thread, 0, op->start);
    struct fth_bytes *bytes = &encoder->streams[thread].bytes;
    fth_bytes_put(bytes, op, sizeof *op);
    fth_bytes_put(bytes, arguments, op->count * sizeof *arguments);
    if (recipe && recipe->script.result_class)
        fth_bytes_put(bytes, &slot, sizeof slot);
}
