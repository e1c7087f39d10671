/* Pipes and FIFOs whose bytes are all known: a repetition makes them again if whoever wrote into
 * them and whoever read from them are repeated. Else one side would wait for ever. */
#ifndef FTH_REPEAT_WHOLE_PIPES_H
#define FTH_REPEAT_WHOLE_PIPES_H

#include "base/keyed.h"
#include "fathom/trace.h"

struct fth_pipe_bytes {
    uint64_t written, read; /* by processes that are repeated */
    bool is_fifo;           /* the run made it, with a name */
};

/* A descriptor that a process had from its start, of a pipe. */
struct fth_inherited_pipe {
    uint32_t pipe; /* by number of its name */
    bool writes;
};

/* All pipes of a run; zero at first. */
struct fth_pipes {
    struct fth_keyed bytes;     /* of struct fth_pipe_bytes, by name */
    struct fth_keyed made;      /* of uint32_t, number of the name + 1, by struct fth_pipe_handle */
    bool has_fifos;             /* else only names of pipes are looked for */
    struct fth_keyed inherited; /* of struct fth_inherited_pipe, by struct fth_pipe_handle */
};
struct fth_pipe_handle {
    uint64_t proc, number; /* of the handle; of one that was there, the descriptor */
};

void fth_pipes_open(struct fth_pipes *pipes);
void fth_pipes_close(struct fth_pipes *pipes);
/* Each call of all processes that are repeated, with its handles. */
void fth_pipes_take(struct fth_pipes *pipes, const struct fth_call *call);
/* NULL: it is the name of none. `file` may be NULL. */
const struct fth_pipe_bytes *fth_pipes_find(const struct fth_pipes *pipes, const char *file);
/* The number of the pipe that this handle of a process became an end of, when it was made; -1. */
int64_t fth_pipes_of_handle(const struct fth_pipes *pipes, const struct fth_handle *handle);
/* Has as much been written as was read, and was any read? */
bool fth_pipe_bytes_is_whole(const struct fth_pipe_bytes *pipe);

#endif
