/* A library for steps of arrays, as ADIOS2 is one: what is put reaches the file when it is
 * performed. */
#ifndef BP_H
#define BP_H

#include <stddef.h>

typedef struct bp_engine bp_engine;

enum { BP_READ = 0, BP_WRITE = 1 };

int bp_set_parameter(const char *key, const char *value);
bp_engine *bp_open(const char *path, int mode);
int bp_begin_step(bp_engine *engine);
int bp_current_step(const bp_engine *engine);
int bp_put(bp_engine *engine, const char *variable, const void *data, size_t bytes);
int bp_get(bp_engine *engine, const char *variable, void *data, size_t bytes);
int bp_perform_puts(bp_engine *engine);
int bp_end_step(bp_engine *engine);
int bp_flush(bp_engine *engine);
int bp_close(bp_engine *engine);
int bp_remove(const char *path);

#endif
