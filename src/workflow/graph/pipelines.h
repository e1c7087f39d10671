/* Steps that pipes join. A shell waits for all commands of a pipeline, not only for the one that
 * ends last. */
#ifndef FTH_WORKFLOW_PIPELINES_H
#define FTH_WORKFLOW_PIPELINES_H

#include "workflow/graph/data_flow.h"

struct fth_pipelines {
    const struct fth_workflow *workflow;
    uint32_t *first, *partners; /* by step, and one behind: where its partners begin in the list */
    bool *seen;                 /* by step: while a pipeline is gone through */
};

enum { FTH_PIPELINE_MOST = 64 }; /* steps that are looked at for one that came behind them */

/* From the flows of the graph, which outlives it; to be freed. */
struct fth_pipelines fth_pipelines_of(const struct fth_workflow_graph *graph);
void fth_pipelines_free(struct fth_pipelines *pipelines);
/* Those that pipes join with step `last`, perhaps by others, and that had ended at `time`, as
 * `last` had; without it, and without those that had ended before another one of them started. How
 * many they are. */
uint32_t fth_pipeline_before(const struct fth_pipelines *pipelines, uint32_t last, int64_t time,
                             uint32_t members[FTH_PIPELINE_MOST]);

#endif
