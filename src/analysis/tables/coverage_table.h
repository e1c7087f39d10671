/* What of a run was recorded in full, where processes were recorded by turns (`fathom record
 * --select`): phase by phase, the slowest process of each node. O(phases) time and memory. */
#ifndef FTH_ANALYSIS_COVERAGE_TABLE_H
#define FTH_ANALYSIS_COVERAGE_TABLE_H

#include "table/table.h"

#include <fathom/trace.h>

struct fth_phase_coverage {
    uint64_t phases;   /* of all nodes, those of which the times are known */
    uint64_t unknown;  /* those in which a process was killed */
    uint64_t time;     /* ns that the slowest process took in its calls of the layer, all phases */
    uint64_t recorded; /* of it, in calls that were recorded */
    uint64_t only_watched;       /* ns that calls of the layer took that were not, all processes */
    uint64_t processes, watched; /* phases of processes, and of these that were only watched */
    bool by_world;               /* phases of each program of MPI are its own */
    /* Columns: host world phase begin rank proc time recorded share how processes watched. A row
     * for each phase of a node and of a world. `how`: of the slowest one (struct fth_phase). */
    struct fth_table *table;
};

/* NULL: no process was only watched. Frees with fth_analysis_coverage_free. */
struct fth_phase_coverage *fth_analysis_coverage(const struct fth_trace *trace);
void fth_analysis_coverage_free(struct fth_phase_coverage *coverage);
/* Percent of the time of the slowest; 100 where that is nothing. */
double fth_analysis_covered(uint64_t time, uint64_t recorded);

#endif
