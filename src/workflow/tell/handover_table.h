/* Consistency between steps: what is between those that wrote to files and those that read them,
 * and which model is enough for that. */
#ifndef FTH_WORKFLOW_HANDOVER_TABLE_H
#define FTH_WORKFLOW_HANDOVER_TABLE_H

#include "table/table.h"
#include "workflow/tell/workflow_facts.h"

/* Of all files that one step has from another one, also where steps change these again. */
struct fth_handover_sum {
    uint32_t files, known; /* files of which it is known which model is enough */
    const char *enough;    /* for all of those that are known; NULL: there are none */
    bool by_clock;         /* for some only if an order by the clock of a node is one */
};

/* By content of the graph: the model that is enough for all who hand it on; NULL: not known, or
 * nobody does. To be freed. */
const char **fth_handover_models(const struct fth_workflow_facts *facts,
                                 struct fth_handover_sum *sum);
/* One row for each pair of boxes and kind of handing on. */
struct fth_table *fth_workflow_handover_table(const struct fth_workflow_facts *facts);

#endif
