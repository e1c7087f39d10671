/* Inner header of the sim room: operations of a disk that wait, in the order of arrival; and the
 * models that have files of their own. */
#ifndef FTH_SIM_ENGINE_DISK_QUEUE_H
#define FTH_SIM_ENGINE_DISK_QUEUE_H

#include "sim/engine/disk.h"

#include <stddef.h>

static inline void fth_sim_queue_append(struct fth_sim_queue *queue, struct fth_sim_io *io)
{
    io->next = NULL;
    if (queue->first)
        queue->last->next = io;
    else
        queue->first = io;
    queue->last = io;
}

static inline struct fth_sim_io *fth_sim_queue_take(struct fth_sim_queue *queue)
{
    struct fth_sim_io *first = queue->first;
    if (first)
        queue->first = first->next;
    return first;
}

void fth_sim_flash_submit(struct fth_sim_disk *disk, struct fth_sim_io *io);

#endif
