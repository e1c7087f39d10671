/* Descriptors of pipes that a new program has from its start, where no call of the run made them
 * lead there: between vfork and exec, and in posix_spawn, nothing is recorded. Inner header of the
 * repeat room. */
#ifndef FTH_REPEAT_PIPE_WIRES_H
#define FTH_REPEAT_PIPE_WIRES_H

#include "repeat/script/encoder.h"

/* A call that made handles: are they the ends of a pipe? */
void fth_pipe_wires_made(struct fth_encoder *encoder, const struct fth_call *call);
/* A descriptor was copied to another one: of a pipe, it may be what a child gets. */
void fth_pipe_wires_copied(struct fth_encoder *encoder, const struct fth_call *call, int64_t from,
                           int64_t to);
/* A child begins, with what encoder->proc has now. */
void fth_pipe_wires_fork(struct fth_encoder *encoder, size_t child);
/* Before the first operation of encoder->proc: its descriptors lead where they led in the run, and
 * those that are closed on exec are closed, if it is another program than its parent. */
void fth_pipe_wires_begin(struct fth_encoder *encoder);
void fth_pipe_wires_free(struct fth_encoder *encoder);

#endif
