/* What the functions of MPI that stand before those of the library share. */
#ifndef FTH_PREFIX_PREFIX_MPI_H
#define FTH_PREFIX_PREFIX_MPI_H

#include <stdbool.h>

/* What MPI_File functions return where they could not do it: MPI_ERR_OTHER of Open MPI; of MPICH it
 * is 15. */
enum { FTH_MPI_FAILED = 16 };

/* The function of the library behind us; NULL: it has none of this name. */
void *fth_prefix_mpi_function(const char *name);
/* Does any model leave it to MPI's calls when others see what was written? */
bool fth_prefix_mpi_is_on(void);
/* All that this process wrote is attached; what others attached is asked for. false: errno is
 * set. */
bool fth_prefix_mpi_publish(void);
void fth_prefix_mpi_fetch(void);
/* From now on MPI's files are as others: published and fetched at each access. */
void fth_prefix_mpi_make_strict(void);

#endif
