/* The end of all that gathering and following have found. */
#include "path/run_flow.h"

#include <stdlib.h>

void fth_path_free_found(struct fth_path *path)
{
    free(path->matches.hub_latest);
    for (uint32_t i = 0; path->matches.messages && i < path->timeline_count; i++)
        fth_rows_free(&path->matches.messages[i]);
    free(path->matches.messages);
    free(path->matches.blocked);
    fth_path_free_messages(&path->matches.sums);
    free(path->matches.wrong);
    fth_rows_free(&path->matches.instances);
    free(path->matches.stretches);
    fth_bytes_free(&path->matches.members);
    free(path->contention.pieces);
    free(path->results.waits);
    free(path->results.wait_places);
    free(path->results.causes);
    free(path->results.work_time);
    free(path->results.critical_work);
    free(path->results.parts.list);
    free(path->results.critical_proc);
    free(path->results.last_count);
    free(path->results.last_caused);
    free(path->results.computed);
    free(path->results.did_io);
    for (uint32_t i = 0; path->results.balances && i < path->timeline_count; i++)
        free(path->results.balances[i].all);
    free(path->results.balances);
    for (size_t i = 0; path->known && i < path->known->count; i++)
        free(path->known->all[i].gone);
    if (path->known)
        free(path->known->all);
    free(path->known);
}
