/* A barrier of a process and the one that MPI started for it.
 * ranks: 1
 * posix: safe  commit: racy  session: racy  mpi-io: none */
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
        MPI_Comm all;
        other = start_child();
        MPI_Intercomm_merge(other, 0, &all);
        put(file, 0, 8);
        MPI_Barrier(all);
        MPI_Comm_free(&all);
    } else {
        MPI_Comm all;
        MPI_Intercomm_merge(other, 1, &all);
        MPI_Barrier(all);
        MPI_Comm_free(&all);
        get(file, 0, 8);
    }
    MPI_Comm_disconnect(&other);
    close(file);
}
