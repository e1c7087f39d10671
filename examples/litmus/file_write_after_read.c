/* MPI-IO: MPI makes no exception for what was read first.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    if (rank == 0)
        get_at(file, 0, 8);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        put_at(file, 0, 8);
    MPI_File_close(&file);
}
