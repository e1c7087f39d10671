/* Who found the end of a pipe, and who had it open for writing until then: by what processes
 * inherited, copied and closed, whether they used it or not. */
#ifndef FTH_WORKFLOW_PIPE_HOLDERS_H
#define FTH_WORKFLOW_PIPE_HOLDERS_H

#include "order/order.h"
#include "workflow/workflow.h"

struct fth_pipe_holders {
    struct fth_order *order; /* NULL: no pipe was made in this trace */
    struct fth_keyed holds;  /* of processes of the trace: each once */
};

/* The trace outlives it. */
void fth_pipe_holders_begin(struct fth_pipe_holders *holders, struct fth_trace *trace);
/* For the calls of a process; NULL: none is asked for. Processes may be asked for by several
 * threads. */
struct fth_order_builder *fth_pipe_holders_feed(const struct fth_pipe_holders *holders,
                                                uint32_t proc);
/* The next call, with its handles. *keep is set to false if each call like it must be given. */
bool fth_pipe_holders_call(struct fth_order_builder *builder, const struct fth_call *call,
                           bool *keep, struct fth_error **error);
/* All processes were given. */
bool fth_pipe_holders_settle(struct fth_pipe_holders *holders, struct fth_error **error);
/* Adds what two steps, and no scripts, have with each other. For a script that held a pipe stand
 * the steps that it waited for meanwhile. By process of the trace: owners, its step; numbers, which
 * process of the workflow it is. Times of the trace begin at `epoch`, ns since 1970. */
void fth_pipe_holders_add(const struct fth_pipe_holders *holders, struct fth_trace *trace,
                          struct fth_workflow *workflow, const uint32_t *owners,
                          const uint32_t *numbers, int64_t epoch);
void fth_pipe_holders_free(struct fth_pipe_holders *holders);

#endif
