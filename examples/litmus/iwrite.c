/* MPI-IO: a nonblocking write, complete before it is synchronized.
 * ranks: 2
 * posix: safe  commit: safe  session: racy  mpi-io: safe */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    if (rank == 0) {
        MPI_Request request;
        MPI_File_iwrite_at(file, 0, bytes, 8, MPI_BYTE, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    if (rank == 1)
        get_at(file, 0, 8);
    MPI_File_close(&file);
}
