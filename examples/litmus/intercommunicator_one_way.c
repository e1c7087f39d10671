/* An allgather between two groups in which one of them gives nothing: the other one receives
 * nothing, whatever it gives itself.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), number = 0, received;
    MPI_Comm alone, between;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    MPI_Intercomm_create(alone, 0, MPI_COMM_WORLD, 1 - rank, 0, &between);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Allgather(&number, rank, MPI_INT, &received, 1 - rank, MPI_INT, between);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&between);
    MPI_Comm_free(&alone);
    close(file);
}
