/* MPI-IO: close, barrier, open.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: safe */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    if (rank == 0)
        put_at(file, 0, 8);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    file = open_together("shared");
    if (rank == 1)
        get_at(file, 0, 8);
    MPI_File_close(&file);
}
