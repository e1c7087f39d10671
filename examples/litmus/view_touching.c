/* MPI-IO: views of blocks that take turns, each with one byte of the next block.
 * ranks: 2
 * posix: depends  commit: racy  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    MPI_Datatype blocks;
    MPI_Type_vector(10, 11, 20, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(file, 10 * rank, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    put_at(file, 0, 110);
    MPI_Type_free(&blocks);
    MPI_File_close(&file);
}
