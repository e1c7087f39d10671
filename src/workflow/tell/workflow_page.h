/* The page of `fathom workflow show`. The keys are described in docs/fathom-workflow.1.md. */
#ifndef FTH_WORKFLOW_PAGE_H
#define FTH_WORKFLOW_PAGE_H

#include "views/formats/writer.h"
#include "workflow/tell/workflow_tables.h"

enum { FTH_WORKFLOW_LINE_DEPTH = 3 };

struct fth_workflow_view {
    size_t top;      /* rows of a table at most; 0: all */
    bool top_chosen; /* else programs get all */
    bool all;        /* also steps, edges and files one by one */
};

void fth_workflow_page(struct fth_writer *writer, const struct fth_workflow_facts *facts,
                       const struct fth_results *results, const struct fth_workflow_view *view);

#endif
