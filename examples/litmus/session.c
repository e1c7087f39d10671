/* No MPI_COMM_WORLD, but a session: a barrier of the processes in its set of all.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <mpi.h>

int main(void)
{
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Group group;
    MPI_Comm all;
    int rank, file = open_file("shared", 0);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "litmus", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all);
    MPI_Comm_rank(all, &rank);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Barrier(all);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&all);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    close(file);
    return 0;
#else
    return 77;
#endif
}
