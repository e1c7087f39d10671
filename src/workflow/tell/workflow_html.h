/* A workflow as a page for a browser that stands alone, without scripts: three layouts of its
 * graph, and four tabs of tables. */
#ifndef FTH_WORKFLOW_HTML_H
#define FTH_WORKFLOW_HTML_H

#include "views/output/output.h"
#include "workflow/tell/workflow_tables.h"

/* Between the begin and the end of a page of HTML. At most `top` rows of a table; 0: all. */
void fth_workflow_html(struct fth_output *output, const struct fth_workflow_facts *facts,
                       const struct fth_results *results, size_t top);

#endif
