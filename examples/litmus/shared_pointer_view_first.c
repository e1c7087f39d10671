/* MPI-IO: behind a view, too, the shared pointer gives each rank bytes of its own.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    MPI_File_set_view(file, 16, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_write_shared(file, &bytes[8 * rank], 8, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}
