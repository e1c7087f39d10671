/* Files that are opened with MPI, under a model whose accesses are those of MPI. */
#ifndef FTH_PREFIX_PREFIX_MPI_H
#define FTH_PREFIX_PREFIX_MPI_H

#include <stdbool.h>

/* Is this thread in MPI_File_open? What it opens there is published and fetched in calls of MPI. */
bool fth_prefix_mpi_opens(void);

#endif
