/* What goes through pipes: see the header. */
#include "repeat/what/pipe_bytes.h"

#include "base/text.h"
#include "trace/record/builtin.h"

#include <string.h>

bool fth_pipe_bytes_is_pipe(const char *file)
{
    return file && fth_text_begins(file, "pipe:[");
}

static struct fth_pipe_bytes *pipe_of(struct fth_keyed *pipes, const char *file)
{
    uint32_t number;
    if (!file || (!fth_pipe_bytes_is_pipe(file) &&
                  !fth_keyed_number(pipes, file, strlen(file), &number)))
        return NULL;
    return fth_keyed_get(pipes, file, strlen(file));
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
    bool is_pipe = fth_pipe_bytes_is_pipe(from);
    bool is_file = from && *from == '/' && !fth_text_begins(from, "/dev/") &&
                   !fth_text_begins(from, "/proc/");
    return !call->copies || is_pipe || is_file;
}

void fth_pipe_bytes_take(struct fth_keyed *pipes, const struct fth_call *call)
{
    if (makes_fifo(call)) {
        struct fth_pipe_bytes *made = fth_keyed_get(pipes, call->file, strlen(call->file));
        made->is_fifo = true;
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
