/* MPI-IO: each rank has opened the file by itself, and so has a shared pointer of its own, from the
 * begin of the file.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file;
    (void)rank;
    must(MPI_File_open(MPI_COMM_SELF, "shared", MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS,
         "shared");
    MPI_File_write_shared(file, bytes, 8, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}
