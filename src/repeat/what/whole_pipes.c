/* What goes through pipes: see the header. */
#include "repeat/what/whole_pipes.h"

#include "base/text.h"
#include "trace/record/builtin.h"

#include <string.h>

void fth_pipes_open(struct fth_pipes *pipes)
{
    *pipes = (struct fth_pipes){.bytes.size = sizeof(struct fth_pipe_bytes),
                                .made.size = sizeof(uint32_t),
                                .inherited.size = sizeof(struct fth_inherited_pipe)};
}

void fth_pipes_close(struct fth_pipes *pipes)
{
    fth_keyed_free(&pipes->bytes);
    fth_keyed_free(&pipes->made);
    fth_keyed_free(&pipes->inherited);
}

static bool is_pipe(const char *file)
{
    return file && fth_text_begins(file, "pipe:[");
}

/* ---- their ends ---- */

/* The name of a pipe is known with the first call on one of its ends. */
static void note_end(struct fth_pipes *pipes, const struct fth_call *call,
                     const struct fth_handle *handle)
{
    if (!is_pipe(handle->path) || !handle->handle_class || strcmp(handle->handle_class, "fd") != 0)
        return;
    uint32_t pipe;
    (void)fth_keyed_get(&pipes->bytes, handle->path, strlen(handle->path));
    (void)fth_keyed_number(&pipes->bytes, handle->path, strlen(handle->path), &pipe);
    struct fth_pipe_handle key = {handle->proc, handle->number};
    if (handle->origin != FTH_HANDLE_THERE) {
        *(uint32_t *)fth_keyed_get(&pipes->made, &key, sizeof key) = pipe + 1;
        return;
    }
    key.number = (uint64_t)handle->value;
    if (fth_keyed_has(&pipes->inherited, &key, sizeof key) && !call->reads && !call->writes)
        return;
    *(struct fth_inherited_pipe *)fth_keyed_get(&pipes->inherited, &key, sizeof key) =
        (struct fth_inherited_pipe){pipe, call->writes || (!call->reads && handle->value > 0)};
}

int64_t fth_pipes_of_handle(const struct fth_pipes *pipes, const struct fth_handle *handle)
{
    const struct fth_pipe_handle key = {handle->proc, handle->number};
    uint32_t at;
    return fth_keyed_number(&pipes->made, &key, sizeof key, &at)
               ? (int64_t) * (const uint32_t *)fth_keyed_item(&pipes->made, at) - 1
               : -1;
}

/* ---- their bytes ---- */

const struct fth_pipe_bytes *fth_pipes_find(const struct fth_pipes *pipes, const char *file)
{
    uint32_t number;
    bool may_be = file && (pipes->has_fifos || is_pipe(file));
    return may_be && fth_keyed_number(&pipes->bytes, file, strlen(file), &number)
               ? fth_keyed_item(&pipes->bytes, number)
               : NULL;
}

static struct fth_pipe_bytes *pipe_of(struct fth_pipes *pipes, const char *file)
{
    bool is_known = is_pipe(file) || fth_pipes_find(pipes, file);
    return is_known ? fth_keyed_get(&pipes->bytes, file, strlen(file)) : NULL;
}

static void move(struct fth_pipe_bytes *pipe, uint64_t bytes, bool reads)
{
    if (pipe)
        *(reads ? &pipe->read : &pipe->written) += bytes;
}

static bool makes_fifo(const struct fth_call *call)
{
    return call->function->orders && !strcmp(call->function->orders, "fifo") &&
           !call->error_number && call->file;
}

/* A copy from a socket or a device is none in a repetition, and nothing arrives. */
static bool is_repeated_source(const struct fth_call *call, const char *from)
{
    bool is_from_pipe = is_pipe(from);
    bool is_file =
        from && *from == '/' && !fth_text_begins(from, "/dev/") && !fth_text_begins(from, "/proc/");
    return !call->copies || is_from_pipe || is_file;
}

void fth_pipes_take(struct fth_pipes *pipes, const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        note_end(pipes, call, call->uses[i].handle);
    if (makes_fifo(call)) {
        struct fth_pipe_bytes *made = fth_keyed_get(&pipes->bytes, call->file, strlen(call->file));
        made->is_fifo = true;
        pipes->has_fifos = true;
        return;
    }
    /* between streams and descriptors, bytes would count twice */
    bool moves = (call->reads || call->writes) && call->bytes_known && !call->error_number &&
                 fth_layer_is(call->function->layer, FTH_LAYER_SYSTEM);
    if (!moves)
        return;
    if (call->reads || is_repeated_source(call, call->other_file))
        move(pipe_of(pipes, call->file), call->bytes, call->reads);
    if (call->copies && (!call->reads || is_repeated_source(call, call->file)))
        move(pipe_of(pipes, call->other_file), call->bytes, !call->reads);
}

bool fth_pipe_bytes_is_whole(const struct fth_pipe_bytes *pipe)
{
    return pipe->read && pipe->written >= pipe->read;
}
