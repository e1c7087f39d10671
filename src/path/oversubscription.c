/* Oversubscription: more ranks on a node than it has processors. Then a rank that waits for a
 * message often waits for a processor, and it is chance which rank is last: waits have no other
 * cause. The number of processors is known for the node where the recording was started. */
#include "path/run_flow.h"

#include "base/memory.h"
#include "model/handles/node_processors.h"

#include <string.h>

/* Selected ranks of this world on that node. */
static uint64_t count_ranks(const struct fth_path *path, int64_t world, const char *host)
{
    uint64_t count = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(path->trace); proc++) {
        const struct fth_process *process = fth_trace_process(path->trace, proc);
        count += path->selected[proc] && process->rank != FTH_NO_RANK && process->world == world &&
                 process->host && strcmp(process->host, host) == 0;
    }
    return count;
}

struct fth_oversubscription fth_path_oversubscription(const struct fth_path *path)
{
    struct fth_oversubscription node = {0};
    int64_t last_world = FTH_NO_WORLD;
    for (size_t proc = 0; proc < fth_trace_process_count(path->trace); proc++) {
        const struct fth_process *process = fth_trace_process(path->trace, proc);
        uint64_t processors = fth_node_processors(path->trace, process->host);
        if (!path->selected[proc] || process->rank == FTH_NO_RANK || process->world == last_world ||
            !processors)
            continue;
        last_world = process->world;
        uint64_t ranks = count_ranks(path, process->world, process->host);
        if (ranks > processors && ranks > node.ranks)
            node = (struct fth_oversubscription){ranks, processors, process->host};
    }
    return node;
}
