/* Who is on the other side of an intercommunicator only its leader can tell: all know what that did
 * before.
 * ranks: 4
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), is_first = rank < 2;
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, is_first, 0, &half);
    if (rank == 2)
        put(file, 0, 8);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_first ? 2 : 0, 0, &between);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    close(file);
}
