/* Inner header: the processors of this machine. */
#ifndef FTH_MEASURE_PROCESSOR_SPEED_H
#define FTH_MEASURE_PROCESSOR_SPEED_H

#include "measure/trial.h"

enum { FTH_ADDITIONS = 1 << 20 };

/* How many sockets there are, and how many cores in one, as the kernel says. */
struct fth_machine_topology {
    uint32_t sockets, cores, threads; /* threads: processors that the kernel sees, of all sockets */
};

void fth_topology_read(struct fth_machine_topology *topology);
/* The socket that we run on; 0 where that is not known. */
uint32_t fth_topology_here(void);

/* The trial "add": FTH_ADDITIONS additions that wait for each other, one per cycle of the clock. */
void fth_measure_add_processor(struct fth_trials *trials);

#endif
