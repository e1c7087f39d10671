/* How long a run is at least, whatever is changed but the computing: its processors have to do
 * that. Threads that take turns compute one after the other; without their waits each would compute
 * as soon as it could, all at once, on more processors than there are. Computing is the time
 * outside of calls, but never more at a time than there are processors, and in all not more than
 * the system counted: what sleeps needs no processor. Known for runs on the node where the
 * recording was started. */
#include "path/run_flow.h"

#include "base/saturating.h"
#include "model/handles/node_processors.h"

#include <string.h>

/* The node of all selected processes; NULL: they are on several. */
static const char *only_host(const struct fth_path *path)
{
    const char *host = NULL;
    for (size_t proc = 0; proc < fth_trace_process_count(path->trace); proc++) {
        const char *other =
            path->selected[proc] ? fth_trace_process(path->trace, proc)->host : host;
        if (host && other && strcmp(host, other) != 0)
            return NULL;
        host = other ? other : host;
    }
    return host;
}

/* ns of processors that the time outside of calls can have been. */
static int64_t computing(const struct fth_path *path, uint64_t processors)
{
    double most = (double)processors * (double)(path->end - path->begin) / FTH_INTERVALS;
    int64_t sum = 0;
    for (size_t i = 0; i < FTH_INTERVALS; i++) {
        int64_t own = path->results.intervals[i][FTH_INTERVAL_OWN];
        FTH_ADD_SATURATING(sum, (double)own < most ? own : fth_saturating_integer(most));
    }
    return sum;
}

void fth_path_weigh_processors(struct fth_path *path)
{
    const char *host = only_host(path);
    uint64_t processors = fth_node_processors(path->trace, host);
    int64_t counted = fth_node_processor_time(path->trace, host);
    if (!processors || counted < 0)
        return;
    int64_t needed = computing(path, processors);
    path->results.least = (needed < counted ? needed : counted) / (int64_t)processors;
}
