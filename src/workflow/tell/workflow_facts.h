/* All that is worked out of a workflow, for tables, findings and pictures. */
#ifndef FTH_WORKFLOW_FACTS_H
#define FTH_WORKFLOW_FACTS_H

#include "table/finding.h"
#include "workflow/graph/boxes.h"
#include "workflow/graph/handovers.h"
#include "workflow/graph/schedule.h"
#include "workflow/simulated/simulated_workflow.h"

struct fth_workflow_facts {
    const struct fth_workflow *workflow;
    const char *only_host; /* all steps ran there; NULL: on several */
    struct fth_workflow_graph graph;
    struct fth_workflow_boxes boxes;
    struct fth_workflow_schedule schedule;
    struct fth_handovers handovers;
    const struct fth_simulated_workflow *simulated; /* outlives it; NULL: no cluster is named */
    /* By step: the address of a page of its trace, whose characters need no escape; NULL: it has
     * none. NULL: no step has one. */
    const char *const *step_pages;
};

/* The workflow outlives it, and gets changes of names below renamed folders: once for each. */
void fth_workflow_facts_make(struct fth_workflow_facts *facts, struct fth_workflow *workflow);
void fth_workflow_facts_free(struct fth_workflow_facts *facts);
/* ns from the start of the first step to the end of the last one. */
static inline int64_t fth_workflow_length(const struct fth_workflow_facts *facts)
{
    return facts->schedule.end - facts->schedule.start;
}
/* The workflow could be shorter by at most so much, ns. */
void fth_workflow_set_gain(const struct fth_workflow_facts *facts, struct fth_finding *finding,
                           int64_t gain);
/* A file as people name it: without the host if there is only one. */
const char *fth_workflow_shown_file(const struct fth_workflow_facts *facts, uint32_t file);

#endif
