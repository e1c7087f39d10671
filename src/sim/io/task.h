/* Inner header of the sim room: tasks, parts of requests that wait in a server for its disk, and
 * lists of them. */
#ifndef FTH_SIM_TASK_H
#define FTH_SIM_TASK_H

#include <stdbool.h>
#include <stdint.h>

struct fth_sim_request;

/* Part of a request, as it waits for the disk. */
struct fth_sim_task {
    struct fth_sim_task *next, *next_dirty;
    /* whose answer it is part of; NULL: a write or blocks, nobody waits for it */
    struct fth_sim_request *request;
    bool is_kept; /* reads: blocks for the read cache, with memory of their own */
    uint32_t file;
    uint64_t offset, bytes;
    uint64_t number; /* in the order of arrival at the server */
};

struct fth_sim_tasks {
    struct fth_sim_task *first, *last;
    uint32_t count;
};

/* Lists of tasks: the first one, which there must be; one more; their order by file, offset and
 * arrival, for qsort of pointers. */
struct fth_sim_task *fth_sim_tasks_take(struct fth_sim_tasks *tasks);
void fth_sim_tasks_append(struct fth_sim_tasks *tasks, struct fth_sim_task *task);
int fth_sim_tasks_by_place(const void *one, const void *other);

#endif
