/* MPI-IO: the writer closes its handle and all open the file again, but it is read by a handle from
 * before.
 * ranks: 2
 * posix: depends  commit: depends  session: depends  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared"), other = open_together("shared");
    if (rank == 0)
        put_at(file, 0, 8);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    file = open_together("shared");
    if (rank == 1)
        get_at(other, 0, 8);
    MPI_File_close(&file);
    MPI_File_close(&other);
}
