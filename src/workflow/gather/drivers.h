/* Programs that do their work by starting others: shells, make, engines of workflows. What they
 * start are the steps; they themselves are scripts. */
#ifndef FTH_WORKFLOW_DRIVERS_H
#define FTH_WORKFLOW_DRIVERS_H

#include <fathom/trace.h>

/* By the name of its program; of an interpreter (python3 /usr/bin/snakemake), also by that of its
 * first argument that is no option. */
bool fth_workflow_is_driver(const struct fth_process *process);
/* The name of its program as it was called (gcc, and not x86_64-linux-gnu-gcc-12). */
const char *fth_workflow_program(const struct fth_process *process);

#endif
