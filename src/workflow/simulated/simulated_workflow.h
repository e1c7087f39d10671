/* What a workflow would take on clusters of the simulator: the traces of its steps are replayed
 * there, all in one run, each begun as its graph says. */
#ifndef FTH_WORKFLOW_SIMULATED_WORKFLOW_H
#define FTH_WORKFLOW_SIMULATED_WORKFLOW_H

#include "base/error.h"
#include "workflow/graph/data_flow.h"

/* What is other than in the recorded run, beside the cluster. */
enum fth_simulated_change {
    FTH_SIMULATED_AS_RECORDED,
    FTH_SIMULATED_PASSING_FREE, /* files that one step has of one other, and nobody keeps, take no
                                   time */
    FTH_SIMULATED_BY_DATA,      /* steps begin as soon as their data is there */
    FTH_SIMULATED_CHANGES
};

/* A step in the simulated run; ns since the workflow started there. -1: it did not begin. */
struct fth_simulated_step {
    int64_t start, end;
    uint32_t behind;    /* the step that its start waited for last; FTH_NO_STEP: none */
    bool waits_for_end; /* for its end, not for its start */
    bool is_held;       /* its end waited for `behind`, whose data it reads while both run */
};

struct fth_simulated_run {
    int64_t length;                   /* ns of the whole workflow; -1: it is not known */
    struct fth_simulated_step *steps; /* by step */
    uint32_t last;                    /* the step that ended last */
};

struct fth_simulated_cluster {
    char *given, *name; /* how it was asked for; what its file calls it */
    struct fth_simulated_run runs[FTH_SIMULATED_CHANGES]; /* what makes no sense: length -1 */
    char *why; /* the simulator did not come to an end; NULL: it did */
};

struct fth_simulated_workflow {
    uint32_t cluster_count, step_count;
    struct fth_simulated_cluster *clusters;
    uint32_t simulated, steps; /* steps whose calls are simulated, of all */
    char **why;                /* by step: why it takes as long as it did; or NULL */
    uint64_t lost;    /* calls that are simulated as computation: their bytes are not known */
    uint32_t several; /* simulated steps of several processes that are no ranks of MPI */
};

/* `paths`: files of clusters, `given`: how they were asked for. What a workflow takes without the
 * order of its scripts is left out if calls are missing. `most_events`: of one run; 0: as many as
 * it takes. -1: a cluster cannot be read; *error is set. To be freed either way. */
int fth_workflow_simulate(struct fth_simulated_workflow *simulated,
                          const struct fth_workflow_graph *graph, const char *const *paths,
                          const char *const *given, uint32_t count, uint64_t most_events,
                          struct fth_error **error);
void fth_simulated_workflow_free(struct fth_simulated_workflow *simulated);

#endif
