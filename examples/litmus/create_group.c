/* Two of three ranks make a communicator twice, the third one does not even know of it: the first
 * one is the one with the barrier.
 * ranks: 3
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), ranks[] = {0, 1};
    MPI_Group all, two;
    MPI_Comm part, again;
    if (rank < 2) {
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Group_incl(all, 2, ranks, &two);
        MPI_Comm_create_group(MPI_COMM_WORLD, two, 7, &part);
        MPI_Comm_create_group(MPI_COMM_WORLD, two, 7, &again);
        if (rank == 0)
            put(file, 0, 8);
        MPI_Barrier(part);
        if (rank == 1)
            get(file, 0, 8);
        MPI_Comm_free(&again);
        MPI_Comm_free(&part);
        MPI_Group_free(&two);
        MPI_Group_free(&all);
    }
    close(file);
}
