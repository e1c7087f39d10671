/* MPI-IO: a nonblocking write that is complete only behind the barrier.
 * ranks: 2
 * posix: depends  commit: depends  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0)
        MPI_File_iwrite_at(file, 0, bytes, 8, MPI_BYTE, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    if (rank == 1)
        get_at(file, 0, 8);
    MPI_File_close(&file);
}
