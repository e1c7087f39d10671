/* What processes lasted without what MPI takes to start and to end. Shares of findings are shares
 * of that: of a short run most is MPI's, which no finding is about, and of a long one hardly
 * anything. */
#ifndef FTH_ANALYSIS_WORKING_H
#define FTH_ANALYSIS_WORKING_H

#include "analysis/select/select.h"

#include <string.h>

struct fth_working {
    int64_t whole; /* ns that the selected processes lasted, added up */
    /* of that: in the calls that start MPI; and in those that end it, as long as the shortest of
     * them took for each (in the others it is waited) */
    int64_t mpi;
};
struct fth_working fth_analysis_working(struct fth_trace *trace,
                                        const struct fth_selection *selection);
static inline bool fth_function_starts_mpi(const struct fth_function *function)
{
    return strcmp(function->kind, "init") == 0;
}
static inline bool fth_function_ends_mpi(const struct fth_function *function)
{
    return strcmp(function->kind, "finalize") == 0;
}

#endif
