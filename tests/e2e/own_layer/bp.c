/* The library: one array behind the other in a file, each put written by itself. */
#include "bp.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct bp_engine {
    int file, step;
    off_t at;
};

int bp_set_parameter(const char *key, const char *value)
{
    return key && value ? 0 : 1;
}

bp_engine *bp_open(const char *path, int mode)
{
    bp_engine *engine = calloc(1, sizeof *engine);
    engine->file = open(path, mode == BP_WRITE ? O_RDWR | O_CREAT : O_RDONLY, 0666);
    return engine;
}

int bp_begin_step(bp_engine *engine)
{
    return engine->step < 0;
}

int bp_current_step(const bp_engine *engine)
{
    return engine->step;
}

int bp_put(bp_engine *engine, const char *variable, const void *data, size_t bytes)
{
    (void)variable;
    ssize_t moved = pwrite(engine->file, data, bytes, engine->at);
    engine->at += (off_t)bytes;
    return moved != (ssize_t)bytes;
}

int bp_get(bp_engine *engine, const char *variable, void *data, size_t bytes)
{
    (void)variable;
    ssize_t moved = pread(engine->file, data, bytes, engine->at);
    engine->at += (off_t)bytes;
    return moved != (ssize_t)bytes;
}

int bp_perform_puts(bp_engine *engine)
{
    return engine->file < 0;
}

int bp_end_step(bp_engine *engine)
{
    engine->step++;
    return 0;
}

int bp_flush(bp_engine *engine)
{
    return engine->file < 0;
}

int bp_close(bp_engine *engine)
{
    close(engine->file);
    free(engine);
    return 0;
}

int bp_remove(const char *path)
{
    return unlink(path);
}
