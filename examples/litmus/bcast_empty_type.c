/* Five numbers of a datatype without data: nobody has to wait for the root.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), numbers[5] = {0};
    MPI_Datatype nothing;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Bcast(numbers, 5, nothing, 0, MPI_COMM_WORLD);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Type_free(&nothing);
    close(file);
}
