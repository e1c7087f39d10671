/* Of those who are not the leader of the other side nobody has to hear as an intercommunicator is
 * made.
 * ranks: 4
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), is_first = rank < 2;
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, is_first, 0, &half);
    if (rank == 3)
        put(file, 0, 8);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_first ? 2 : 0, 0, &between);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    close(file);
}
