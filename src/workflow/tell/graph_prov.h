/* The history of the files of a workflow in the data model of W3C PROV (Recommendation of 2013), as
 * PROV-JSON (Member Submission of 2013). */
#ifndef FTH_WORKFLOW_GRAPH_PROV_H
#define FTH_WORKFLOW_GRAPH_PROV_H

#include "base/sink.h"
#include "workflow/tell/workflow_facts.h"

/* Steps are activities. A file as a step left it is an entity: file:N-K is content N behind its
 * writer number K, K 0 is what was there before. */
void fth_workflow_write_prov(const struct fth_workflow_facts *facts, struct fth_sink *sink);

#endif
