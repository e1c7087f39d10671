/* MPI-IO: a read that finds fewer bytes than it asks for, and a write of those.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    if (rank == 0)
        put_at(file, 4096, 4104);
    else
        get_at(file, 4092, 4104);
    MPI_File_close(&file);
}
