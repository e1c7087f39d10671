/* MPI-IO in atomic mode by two handles, which two calls have opened.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared"), other = open_together("shared");
    if (MPI_File_set_atomicity(file, 1) != MPI_SUCCESS ||
        MPI_File_set_atomicity(other, 1) != MPI_SUCCESS)
        exit(77); /* this library has none */
    if (rank == 0)
        put_at(file, 0, 8);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        get_at(other, 0, 8);
    MPI_File_close(&file);
    MPI_File_close(&other);
}
