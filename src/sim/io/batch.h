/* Inner header of the sim room: how tasks that wait become one operation of the disk, for all cache
 * layers. */
#ifndef FTH_SIM_BATCH_H
#define FTH_SIM_BATCH_H

#include "sim/io/cache.h"

/* Whether there is memory for what a task reads. */
bool fth_sim_may_read(const struct fth_sim_server *server, const struct fth_sim_task *task);

/* The first task of a batch. Whether another one overlaps it or touches it, and may be added; it
 * is. */
void fth_sim_batch_begin(struct fth_sim_server *server, struct fth_sim_batch *batch,
                         enum fth_sim_operation operation, struct fth_sim_task *task);
bool fth_sim_batch_joins(const struct fth_sim_server *server, const struct fth_sim_batch *batch,
                         const struct fth_sim_task *task);
void fth_sim_batch_join(struct fth_sim_server *server, struct fth_sim_batch *batch,
                        struct fth_sim_task *task);

/* Lists of tasks: the first one, which there must be; one more; their order by file, offset and
 * arrival, for qsort of pointers. */
struct fth_sim_task *fth_sim_tasks_take(struct fth_sim_tasks *tasks);
void fth_sim_tasks_append(struct fth_sim_tasks *tasks, struct fth_sim_task *task);
int fth_sim_tasks_by_place(const void *one, const void *other);

/* WriteBack (write_back.c). */
bool fth_sim_write_back(struct fth_sim_server *server, struct fth_sim_batch *batch);

#endif
