/* A barrier in each row of a grid: the writer and the reader are in one.
 * ranks: 4
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), dims[] = {2, 2}, periods[] = {0, 0}, remain[] = {0, 1};
    MPI_Comm grid, row;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, remain, &row);
    if (rank == 0)
        put(file, 0, 8);
    MPI_Barrier(row);
    if (rank == 1)
        get(file, 0, 8);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    close(file);
}
