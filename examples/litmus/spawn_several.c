/* Processes of two kinds that MPI starts with one call know what came before.
 * ranks: 1
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#define _GNU_SOURCE
#include <mpi.h>

#include "litmus.h"

static MPI_Comm start_children(void)
{
    char *commands[] = {program_invocation_name, program_invocation_name};
    int counts[] = {1, 1};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm children;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_SELF,
                                &children, MPI_ERRCODES_IGNORE) != MPI_SUCCESS) {
        MPI_Finalize();
        exit(77);
    }
    return children;
}

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Comm other;
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        put(file, 0, 8);
        other = start_children();
    } else if (rank == 1) {
        get(file, 0, 8);
    }
    MPI_Comm_disconnect(&other);
    close(file);
}
