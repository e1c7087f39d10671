/* A process that MPI starts knows nothing of what its parent does behind the call.
 * ranks: 1
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#define _GNU_SOURCE
#include <mpi.h>

#include "litmus.h"

static MPI_Comm start_child(void)
{
    MPI_Comm child;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (MPI_Comm_spawn(program_invocation_name, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF,
                       &child, MPI_ERRCODES_IGNORE) != MPI_SUCCESS) {
        MPI_Finalize();
        exit(77);
    }
    return child;
}

static void program(int rank)
{
    int file = open_file("shared", 0);
    MPI_Comm other;
    (void)rank;
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        other = start_child();
        put(file, 0, 8);
    } else {
        get(file, 0, 8);
    }
    MPI_Comm_disconnect(&other);
    close(file);
}
