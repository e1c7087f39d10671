/* MPI-IO: two handles of one file have two shared pointers, which begin at the same byte.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: unknown */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared"), other = open_together("shared");
    MPI_File_write_shared(rank ? other : file, bytes, 8, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_File_close(&other);
}
