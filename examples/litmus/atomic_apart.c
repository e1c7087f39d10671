/* MPI-IO in atomic mode, but each rank has opened the file for itself: the mode says nothing of
 * what others have opened.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file;
    must(MPI_File_open(MPI_COMM_SELF, "shared", MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS,
         "shared");
    if (MPI_File_set_atomicity(file, 1) != MPI_SUCCESS)
        exit(77); /* this library has none */
    if (rank == 0)
        put_at(file, 0, 8);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        get_at(file, 0, 8);
    MPI_File_close(&file);
}
