/* A page for each trace of a workflow, as `fathom report --html` writes it, beside the page of the
 * workflow, whose steps lead there. */
#ifndef FTH_CMD_STEP_PAGES_H
#define FTH_CMD_STEP_PAGES_H

#include "base/error.h"
#include "workflow/workflow.h"

struct fth_step_pages {
    uint32_t count;
    char **links; /* by step: relative to the page of the workflow; NULL: its trace has none */
};

/* `html`: the page of the workflow. Those of the traces go to a folder beside it, "NAME-steps" for
 * NAME.html. A trace that is not here, or whose page cannot be written, is noted. -1: the folder
 * cannot be made, *error is set. To be freed either way. */
int fth_cmd_write_step_pages(struct fth_step_pages *pages, struct fth_workflow *workflow,
                             const char *html, unsigned jobs, struct fth_error **error);
void fth_step_pages_free(struct fth_step_pages *pages);

#endif
