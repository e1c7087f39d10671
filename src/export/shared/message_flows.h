/* Arrows from the calls that send messages to those that begin to receive them. */
#ifndef FTH_EXPORT_SHARED_MESSAGE_FLOWS_H
#define FTH_EXPORT_SHARED_MESSAGE_FLOWS_H

#include "analysis/survey/message_list.h"
#include "base/error.h"

#include <fathom/trace.h>

/* Matches the messages of the run: all its calls are read once, and memory grows with those that
 * order ranks. Nothing is done if there is one rank at most. `list` is empty. -1: *error is
 * set. */
int fth_export_messages(struct fth_message_list *list, struct fth_trace *trace, unsigned threads,
                        struct fth_error **error);

/* One end of an arrow, at a call. */
struct fth_flow_end {
    uint32_t proc, thread;
    uint64_t call;
    uint64_t flow; /* the same at both ends, and at no other arrow; not 0 */
    bool receives; /* the arrow ends here */
};

struct fth_message_flows {
    struct fth_flow_end *ends; /* by process, thread and call */
    size_t count;
};
/* If there are too many messages, there are no arrows, and a line on the standard error stream says
 * so. -1: *error is set. */
int fth_message_flows_begin(struct fth_message_flows *flows, struct fth_trace *trace,
                            unsigned threads, struct fth_error **error);
void fth_message_flows_end(struct fth_message_flows *flows);
/* The ends at a call: the first one, and in *count how many there are. */
const struct fth_flow_end *fth_message_flows_of(const struct fth_message_flows *flows,
                                                const struct fth_call *call, size_t *count);

#endif
