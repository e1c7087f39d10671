/* MPI-IO: what is synchronized is another handle of the file than the one that is written by.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared"), other = open_together("shared");
    if (rank == 0)
        put_at(file, 0, 8);
    MPI_File_sync(other);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    if (rank == 1)
        get_at(file, 0, 8);
    MPI_File_close(&file);
    MPI_File_close(&other);
}
