/* Processors that this process may use. */
#ifndef FTH_BASE_PROCESSORS_H
#define FTH_BASE_PROCESSORS_H

/* As many as its affinity mask has (taskset, a batch system's share of a node); those of the
 * machine where that cannot be asked. At least 1. */
unsigned fth_processors(void);

#endif
