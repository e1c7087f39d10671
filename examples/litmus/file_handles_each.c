/* MPI-IO: written by one handle and read by another one, each of which is synchronized.
 * ranks: 2
 * posix: safe  commit: depends  session: depends  mpi-io: safe */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared"), other = open_together("shared");
    if (rank == 0)
        put_at(file, 0, 8);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(other);
    if (rank == 1)
        get_at(other, 0, 8);
    MPI_File_close(&file);
    MPI_File_close(&other);
}
