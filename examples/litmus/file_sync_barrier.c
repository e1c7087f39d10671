/* MPI-IO: no sync between the barrier and the read.
 * ranks: 2
 * posix: safe  commit: safe  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    if (rank == 0)
        put_at(file, 0, 8);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        get_at(file, 0, 8);
    MPI_File_close(&file);
}
