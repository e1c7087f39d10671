/* stdio: the writer empties its buffer before the barrier.
 * ranks: 2
 * posix: safe  commit: safe  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    FILE *stream = fopen("shared", "r+");
    if (rank == 0) {
        fwrite(bytes, 8, 1, stream);
        fflush(stream);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        must(fread(bytes, 8, 1, stream) == 1, "fread");
    fclose(stream);
}
