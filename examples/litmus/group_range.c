/* A barrier of two of three ranks, chosen as a range.
 * ranks: 3
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), ranges[1][3] = {{1, 0, -1}};
    MPI_Group all, two;
    MPI_Comm part;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, ranges, &two);
    MPI_Comm_create(MPI_COMM_WORLD, two, &part);
    if (rank == 0)
        put(file, 0, 8);
    if (part != MPI_COMM_NULL)
        MPI_Barrier(part);
    if (rank == 1)
        get(file, 0, 8);
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Group_free(&two);
    MPI_Group_free(&all);
    close(file);
}
