/* The graph of a workflow for other programs. */
#ifndef FTH_WORKFLOW_GRAPH_DOT_H
#define FTH_WORKFLOW_GRAPH_DOT_H

#include "base/sink.h"
#include "workflow/tell/workflow_tables.h"

/* For Graphviz: boxes, solid arrows where data went, dotted ones for order alone. */
void fth_workflow_write_dot(const struct fth_workflow_facts *facts, struct fth_sink *sink);
/* GraphML: the same graph, with keys for what is known of nodes and edges. */
void fth_workflow_write_graphml(const struct fth_workflow_facts *facts, struct fth_sink *sink);

#endif
