/* The end of all that gathering and following have found. */
#include "path/flow.h"

#include <stdlib.h>

void fth_path_free_found(struct fth_path *path)
{
    free(path->hub_latest);
    for (uint32_t i = 0; path->messages && i < path->timeline_count; i++)
        fth_bytes_free(&path->messages[i].packed);
    free(path->messages);
    free(path->blocked);
    free(path->wrong);
    free(path->instances);
    fth_bytes_free(&path->members);
    free(path->waits);
    free(path->wait_places);
    free(path->causes);
    free(path->work_time);
    free(path->critical_work);
    free(path->critical_proc);
    free(path->last_count);
    free(path->last_caused);
    free(path->computed);
    free(path->did_io);
    for (uint32_t i = 0; path->balances && i < path->timeline_count; i++)
        free(path->balances[i].all);
    free(path->balances);
}
