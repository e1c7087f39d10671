/* MPI-IO: to set the size is a write to the bytes that this takes away.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    MPI_File_set_size(file, 0);
    if (rank == 1)
        put_at(file, 0, 8);
    MPI_File_close(&file);
}
