/* Two groups become the two sides of an intercommunicator, without a communicator between them: the
 * reader gets a message through it.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
#if MPI_VERSION >= 4
    MPI_Group all, mine, other;
    MPI_Comm between;
    int theirs = 1 - rank, number = 0, file = open_file("shared", 0);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &rank, &mine);
    MPI_Group_incl(all, 1, &theirs, &other);
    MPI_Intercomm_create_from_groups(mine, 0, other, 0, "litmus", MPI_INFO_NULL,
                                     MPI_ERRORS_ARE_FATAL, &between);
    if (rank == 0) {
        put(file, 0, 8);
        MPI_Send(&number, 1, MPI_INT, 0, 0, between);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, between, MPI_STATUS_IGNORE);
        get(file, 0, 8);
    }
    MPI_Comm_free(&between);
    MPI_Group_free(&other);
    MPI_Group_free(&mine);
    MPI_Group_free(&all);
    close(file);
#else
    (void)rank;
    exit(77);
#endif
}
