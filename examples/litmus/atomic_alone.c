/* MPI-IO in atomic mode: all of the write or nothing of it is read, but which is not known.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    if (MPI_File_set_atomicity(file, 1) != MPI_SUCCESS)
        exit(77); /* this library has none */
    if (rank == 0)
        put_at(file, 0, 8);
    if (rank == 1)
        get_at(file, 0, 8);
    MPI_File_close(&file);
}
