/* MPI without MPI_Init: a session, and the world from its process set; each rank writes a file. No
 * MPI-IO and no second session: MPICH 4.0 stumbles over both. */
#include <mpi.h>
#include <stdio.h>

#if MPI_VERSION < 4
#error "no sessions"
#endif

int main(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm world;
    char own[64];
    int rank, sum = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "fathom", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &world);
    MPI_Group_free(&group);
    MPI_Comm_rank(world, &rank);
    MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, world);
    snprintf(own, sizeof own, "session-%d", rank);
    FILE *file = fopen(own, "w");
    fprintf(file, "%d\n", sum);
    fclose(file);
    MPI_Comm_free(&world);
    MPI_Session_finalize(&session);
    return 0;
}
