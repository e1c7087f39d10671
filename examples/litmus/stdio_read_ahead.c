/* stdio: the reader has the bytes in its buffer since before the barrier.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    FILE *stream = fopen("shared", "r+");
    if (rank == 0) {
        fwrite(bytes, 8, 1, stream);
        fflush(stream);
    } else {
        getc(stream);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        getc(stream);
    fclose(stream);
}
