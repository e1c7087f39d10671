/* Inner header of the instrument room: how the sources are compiled, from the recorded run of their
 * build. */
#ifndef FTH_INSTRUMENT_COMPILE_COMMANDS_H
#define FTH_INSTRUMENT_COMPILE_COMMANDS_H

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

struct fth_compile_command {
    const char *source;           /* absolute */
    const char *spelled;          /* as it was given */
    const char *const *arguments; /* for libclang: what decides how a source is read */
    size_t count;
};
struct fth_compile_commands {
    struct fth_compile_command *list;
    size_t count;
    struct fth_arena arena;
};

/* From the trace of a build: the command of each source that a compiler was given. -1: *error. */
int fth_compile_commands_read(struct fth_compile_commands *commands, const char *trace,
                              struct fth_error **error);
/* NULL: it was not compiled. */
const struct fth_compile_command *
fth_compile_commands_find(const struct fth_compile_commands *commands, const char *source);
void fth_compile_commands_free(struct fth_compile_commands *commands);

#endif
