/* What the wrappers of MPI ask of a static MPI library. */
#include "capture/mpi/profiling_interface.h"
#include "capture/static/slots.h"

#define ASKED(function, ...) FTH_STATIC_SYMBOL(mpi, "PMPI_" #function, "PMPI_" #function)
#define MAY_BE_ASKED(function, ...) FTH_STATIC_OPTIONAL(mpi, "PMPI_" #function, "PMPI_" #function)

FTH_STATIC_LIBRARY(mpi)
FTH_STATIC_SYMBOL(mpi, "PMPI_Init", "PMPI_Init")
FTH_PMPI_FUNCTIONS(ASKED, MAY_BE_ASKED)
