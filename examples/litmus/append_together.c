/* MPI-IO: all begin at the same end of the file, and each has a pointer of its own.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file;
    must(MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_INFO_NULL,
                       &file) == MPI_SUCCESS,
         "shared");
    MPI_File_write(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}
