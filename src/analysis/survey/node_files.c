/* Which node a file is of. */
#include "analysis/survey/node_files.h"

#include <string.h>

bool fth_analysis_has_several_nodes(const struct fth_trace *trace)
{
    const char *first = fth_trace_process_count(trace) ? fth_trace_process(trace, 0)->host : "";
    for (size_t proc = 1; proc < fth_trace_process_count(trace); proc++)
        if (strcmp(fth_trace_process(trace, proc)->host, first) != 0)
            return true;
    return false;
}

const char *fth_analysis_node_of(const struct fth_trace *trace, size_t proc,
                                 const struct fth_file *place)
{
    return place->system->scope == FTH_SCOPE_NODE ? fth_trace_process(trace, proc)->host : NULL;
}
