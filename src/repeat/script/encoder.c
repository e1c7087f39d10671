/* Handles, blobs and streams of the writer of scripts: see the header. */
#include "repeat/script/encoder.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static uint8_t state_of(const struct fth_alive *alive, unsigned handle_class, int64_t slot)
{
    bool is_known = slot >= 0 && slot < alive->limits[handle_class];
    return is_known ? alive->slots[handle_class][slot] : FTH_ALIVE_NEVER;
}

bool fth_alive_has(const struct fth_alive *alive, unsigned handle_class, int64_t slot)
{
    uint8_t state = state_of(alive, handle_class, slot);
    return state == FTH_ALIVE_THERE || state == FTH_ALIVE_MARKED;
}

bool fth_alive_is_gone(const struct fth_alive *alive, unsigned handle_class, int64_t slot)
{
    return state_of(alive, handle_class, slot) == FTH_ALIVE_GONE;
}

bool fth_alive_set(struct fth_encoder *encoder, unsigned handle_class, int64_t slot, bool is_there)
{
    struct fth_alive *alive = &encoder->now;
    if (slot < 0 || slot >= FTH_MOST_SLOTS)
        return false;
    alive->slots[handle_class] =
        fth_reach(alive->slots[handle_class], &alive->limits[handle_class], (uint32_t)slot, 1);
    alive->slots[handle_class][slot] = is_there ? FTH_ALIVE_THERE : FTH_ALIVE_GONE;
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

void fth_alive_keep_descriptors(const struct fth_encoder *encoder, struct fth_alive *alive)
{
    for (unsigned i = 0; i < FTH_SCRIPT_CLASSES; i++)
        if (i != encoder->recipes->fd && alive->slots[i])
            memset(alive->slots[i], 0, alive->limits[i]);
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

void fth_encoder_begin_thread(struct fth_encoder *encoder, uint32_t thread, int64_t start)
{
    encoder->streams =
        fth_reach(encoder->streams, &encoder->stream_limit, thread, sizeof *encoder->streams);
    if (!thread || encoder->streams[thread].begun)
        return;
    encoder->streams[thread].begun = true;
    const int64_t argument = thread;
    const struct fth_script_op op = {.function = (uint16_t)encoder->recipes->count,
                                     .what = FTH_SCRIPT_THREAD,
                                     .count = 1,
                                     .flags = FTH_SCRIPT_SILENT};
    fth_encoder_put(encoder, 0, start, &op, &argument, NULL, -1);
}

static void begin_stream(const struct fth_encoder *encoder, struct fth_script_stream *stream)
{
    const struct fth_script_op loop = {.function = (uint16_t)encoder->recipes->count,
                                       .what = FTH_SCRIPT_LOOP,
                                       .count = FTH_SCRIPT_LOOP_WORDS - FTH_SCRIPT_OP_WORDS,
                                       .flags = FTH_SCRIPT_SILENT};
    if (stream->bytes)
        return;
    stream->bytes = fth_new(1, sizeof *stream->bytes);
    stream->fold = fth_fold_open(&loop, stream->bytes);
}

static void put_time(const struct fth_encoder *encoder, struct fth_script_stream *stream,
                     int64_t start)
{
    if (encoder->request->scale <= 0)
        return;
    fth_bytes_signed(&stream->times, (int64_t)((uint64_t)start - (uint64_t)stream->last_time));
    stream->last_time = start;
}

void fth_encoder_put(struct fth_encoder *encoder, uint32_t thread, int64_t start,
                     const struct fth_script_op *op, const int64_t *arguments,
                     const struct fth_recipe *recipe, int64_t slot)
{
    fth_encoder_begin_thread(encoder, thread, start);
    if (thread >= encoder->thread_count)
        encoder->thread_count = thread + 1;
    struct fth_script_stream *stream = &encoder->streams[thread];
    begin_stream(encoder, stream);
    int64_t words[FTH_SCRIPT_OP_WORDS + FTH_SCRIPT_ARGUMENTS + 1];
    size_t count = FTH_SCRIPT_OP_WORDS + op->count;
    struct fth_script_op whole = *op;
    memcpy(words + FTH_SCRIPT_OP_WORDS, arguments, op->count * sizeof *arguments);
    if (recipe && recipe->script.result_class)
        words[count++] = slot;
    whole.words = (uint16_t)count;
    memcpy(words, &whole, sizeof whole);
    fth_fold_put(stream->fold, words, count);
    stream->steps++;
    put_time(encoder, stream, start);
}

void fth_encoder_end_streams(struct fth_encoder *encoder)
{
    for (uint32_t i = 0; i < encoder->stream_limit; i++)
        if (encoder->streams[i].fold)
            fth_fold_end(encoder->streams[i].fold);
}

void fth_encoder_close_streams(struct fth_encoder *encoder)
{
    for (uint32_t i = 0; i < encoder->stream_limit; i++) {
        struct fth_script_stream *stream = &encoder->streams[i];
        fth_fold_close(stream->fold);
        if (stream->bytes)
            fth_bytes_free(stream->bytes);
        free(stream->bytes);
        fth_bytes_free(&stream->times);
        *stream = (struct fth_script_stream){0};
    }
}
