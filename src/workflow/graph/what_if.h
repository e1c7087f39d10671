/* How long a workflow would take if something was otherwise: the graph is gone through once more,
 * with other lengths of its steps. */
#ifndef FTH_WORKFLOW_WHAT_IF_H
#define FTH_WORKFLOW_WHAT_IF_H

#include "workflow/graph/data_flow.h"

/* ns of the whole workflow if all I/O of its steps took `share` of its time, from 0 to 1, in the
 * recorded order. A step starts as long after the last one that it came after as it did; who reads
 * what another step writes meanwhile ends as long behind that one as it did, but no earlier than
 * without its waiting. Of several threads, I/O is taken to be spread over them evenly. With 1 it is
 * the recorded time. */
int64_t fth_workflow_with_io(const struct fth_workflow_graph *graph, double share);

#endif
