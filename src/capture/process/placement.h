/* Where in the run this process is: on which node, and which rank the launcher says it is. Inner
 * header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_PLACEMENT_H
#define FTH_CAPTURE_PROCESS_PLACEMENT_H

#include "trace/record/spill.h"

#include <stdbool.h>

/* The spill folder: on the node of `fathom record` it is `spill`; on others one of that name is
 * made. False: there is none. */
bool fth_node_choose_folder(const char *spill);
/* Is this another node than that of `fathom record`? */
bool fth_node_is_another(void);
/* On another node, in a task apart: the folder is there, and is not taken away while this
 * descriptor is open. Else -1. */
int fth_node_enter(void);
/* There, in the same task: this process has its file in the folder. Starts the node's sampler if
 * nobody has (sample.c). */
void fth_node_entered(void);
/* It leaves its samples in `folder`. */
void fth_node_sample(const char *folder, const char *host);
/* Rank and size as the environment says; MPI_Init knows better. */
void fth_node_take_rank(struct fth_spill_process *process);
/* On another node: what ended processes left in the spill folder goes to the folder of the output,
 * where that is shared; `remap` makes this process go on there. */
void fth_node_leave(bool (*remap)(void));

#endif
