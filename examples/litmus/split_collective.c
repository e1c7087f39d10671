/* MPI-IO: a collective write in two halves.
 * ranks: 2
 * posix: safe  commit: safe  session: racy  mpi-io: safe */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    MPI_File_write_at_all_begin(file, 8 * rank, bytes, 8, MPI_BYTE);
    MPI_File_write_at_all_end(file, bytes, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    get_at(file, 8 * (1 - rank), 8 * (1 - rank) + 8);
    MPI_File_close(&file);
}
