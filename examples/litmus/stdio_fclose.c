/* stdio: closed before the barrier, opened behind it.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    FILE *stream;
    if (rank == 0) {
        stream = fopen("shared", "r+");
        fwrite(bytes, 8, 1, stream);
        fclose(stream);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        stream = fopen("shared", "r");
        must(fread(bytes, 8, 1, stream) == 1, "fread");
        fclose(stream);
    }
}
