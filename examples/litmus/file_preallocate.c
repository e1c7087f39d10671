/* MPI-IO: to give a file room takes nothing from what is written.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    MPI_File_preallocate(file, 8);
    if (rank == 1)
        put_at(file, 0, 16);
    MPI_File_close(&file);
}
