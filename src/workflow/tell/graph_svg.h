/* The graph of a workflow as a picture. */
#ifndef FTH_WORKFLOW_GRAPH_SVG_H
#define FTH_WORKFLOW_GRAPH_SVG_H

#include "base/sink.h"
#include "workflow/tell/workflow_tables.h"

enum fth_workflow_layout {
    FTH_LAYOUT_GRAPH,  /* boxes of one size, in columns by level */
    FTH_LAYOUT_SCALED, /* as wide as their longest step lasted, behind those that they need */
    FTH_LAYOUT_TIME,   /* where they were in time */
};

void fth_workflow_write_svg(const struct fth_workflow_facts *facts, enum fth_workflow_layout layout,
                            struct fth_sink *sink);

#endif
