/* The name begins with the kind of file system, which is no part of it.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file;
    if (MPI_File_open(MPI_COMM_SELF, rank ? "ufs:shared" : "shared", MPI_MODE_RDWR, MPI_INFO_NULL,
                      &file) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 77);
    put_at(file, 4 * rank, 4 * rank + 8);
    MPI_File_close(&file);
}
