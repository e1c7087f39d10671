/* The tables and findings of a workflow. */
#ifndef FTH_WORKFLOW_TABLES_H
#define FTH_WORKFLOW_TABLES_H

#include "analysis/survey/survey.h"
#include "workflow/graph/boxes.h"
#include "workflow/graph/schedule.h"

/* All that is known of a workflow. */
struct fth_workflow_facts {
    const struct fth_workflow *workflow;
    const char *only_host; /* all steps ran there; NULL: on several */
    struct fth_workflow_graph graph;
    struct fth_workflow_boxes boxes;
    struct fth_workflow_schedule schedule;
};

/* The workflow outlives it. */
void fth_workflow_facts_make(struct fth_workflow_facts *facts, const struct fth_workflow *workflow);
void fth_workflow_facts_free(struct fth_workflow_facts *facts);
/* A file as people name it: without the host if there is only one. */
const char *fth_workflow_shown_file(const struct fth_workflow_facts *facts, uint32_t file);

/* Adds the tables `graph` (boxes), `critical_programs`, `critical_path`, `steps`, `edges` and
 * `files`. Times are ns since
 * the workflow started. */
void fth_workflow_tables(const struct fth_workflow_facts *facts, struct fth_results *results);
/* Adds findings, sorted. */
void fth_workflow_findings(const struct fth_workflow_facts *facts, struct fth_results *results);

#endif
