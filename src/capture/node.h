/* Where in the run this process is: on which node, and which rank the launcher says it is. Inner header of the capture room. */
#ifndef FTH_CAPTURE_NODE_H
#define FTH_CAPTURE_NODE_H

#include "trace/spill.h"

#include <stdbool.h>
#include <stddef.h>

/* The spill folder, into `folder`. On the node of `fathom record` it is `spill`; on others one of that name is made. */
void fth_node_choose_folder(const char *spill, char *folder, size_t size);
/* The same in a forked child: the folder may have been taken away. */
void fth_node_come_again(void);
/* The process file is there: from now on nobody removes that folder. */
void fth_node_has_come(void);
/* Rank and size as the environment says; MPI_Init knows better. */
void fth_node_take_rank(struct fth_spill_process *process);
/* On another node: what ended processes left in the spill folder goes to the folder of the output, where that is shared. */
void fth_node_leave(void);

#endif
