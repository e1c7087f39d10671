/* Both write, swap a number, and read what the other one wrote.
 * ranks: 2
 * pairs: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), mine = rank, theirs;
    put(file, 8 * rank, 8 * rank + 8);
    MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, 0, &theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    get(file, 8 * (1 - rank), 8 * (1 - rank) + 8);
    close(file);
}
