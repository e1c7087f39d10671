/* Pipes and FIFOs whose bytes are all known: a repetition makes them again if whoever wrote into
 * them and whoever read from them are repeated. Else one side would wait for ever. */
#ifndef FTH_REPEAT_PIPE_BYTES_H
#define FTH_REPEAT_PIPE_BYTES_H

#include "base/keyed.h"
#include "fathom/trace.h"

struct fth_pipe_bytes {
    uint64_t written, read; /* by processes that are repeated */
    bool is_fifo;           /* the run made it, with a name */
};

/* Is this the name of a pipe without one of its own ("pipe:[123]")? `file` may be NULL. */
bool fth_pipe_bytes_is_pipe(const char *file);
/* `pipes`: of struct fth_pipe_bytes, by name. Each call of all processes that are repeated. */
void fth_pipe_bytes_take(struct fth_keyed *pipes, const struct fth_call *call);
/* Has as much been written as was read, and was any read? */
bool fth_pipe_bytes_is_whole(const struct fth_pipe_bytes *pipe);

#endif
