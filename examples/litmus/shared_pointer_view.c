/* MPI-IO: a view sets the shared pointer back to its begin, where one has written.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: unknown */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    if (rank == 0)
        MPI_File_write_shared(file, bytes, 8, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    if (rank == 1)
        MPI_File_write_shared(file, bytes, 8, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}
