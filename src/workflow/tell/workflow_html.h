/* A workflow as a page for a browser that stands alone, without scripts: three layouts of its
 * graph, and four tabs of tables. */
#ifndef FTH_WORKFLOW_HTML_H
#define FTH_WORKFLOW_HTML_H

#include "views/output/output.h"
#include "workflow/tell/workflow_tables.h"

/* For people who look at a page, tables of more rows than this are of no use. */
enum { FTH_WORKFLOW_PAGE_ROWS = 1000 };

/* Between the begin and the end of a page of HTML. At most `top` rows of a table; 0: all.
 * `heading`: the tag of its title, "h1". Boxes of pictures have the attribute data-box, their
 * number. */
void fth_workflow_html(struct fth_output *output, const struct fth_workflow_facts *facts,
                       const struct fth_results *results, const char *heading, size_t top);

#endif
