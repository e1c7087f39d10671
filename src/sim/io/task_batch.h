/* Inner header of the sim room: how tasks that wait become one operation of the disk, for all cache
 * layers. */
#ifndef FTH_SIM_TASK_BATCH_H
#define FTH_SIM_TASK_BATCH_H

#include "sim/io/serving.h"

/* Whether there is memory for so many bytes more; if there is nothing in it always. */
bool fth_sim_server_fits(const struct fth_sim_server *server, uint64_t bytes);
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

/* WriteBack (write_back.c). */
bool fth_sim_write_back(struct fth_sim_server *server, struct fth_sim_batch *batch);

#endif
