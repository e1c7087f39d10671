/* MPI-IO: nothing between a write and a read.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    if (rank == 0)
        put_at(file, 0, 8);
    else
        get_at(file, 0, 8);
    MPI_File_close(&file);
}
