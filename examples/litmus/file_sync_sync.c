/* MPI-IO: all call sync twice, but need not wait for each other there.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    if (rank == 0)
        put_at(file, 0, 8);
    MPI_File_sync(file);
    MPI_File_sync(file);
    if (rank == 1)
        get_at(file, 0, 8);
    MPI_File_close(&file);
}
