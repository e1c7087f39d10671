/* Each rank writes a block of a new file, and reads it again, in no order with the others, whose
 * blocks are behind it or before it.
 * ranks: 2
 * posix: none  commit: none  session: none  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    if (rank == 0)
        close(open_file("new", O_CREAT | O_EXCL));
    MPI_Barrier(MPI_COMM_WORLD);
    int file = open_file("new", 0);
    put(file, 4096 * rank, 4096 * rank + 4096);
    get(file, 4096 * rank, 4096 * rank + 4096);
    close(file);
}
