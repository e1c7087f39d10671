/* The solution of a block-tridiagonal solver, BT-IO: five numbers for each point of a cube. Each
 * process has several cells on a diagonal of the cube (multi-partitioning), so its part is many
 * short runs. */
#include <mpi.h>
#include <math.h>
#include <stdlib.h>

enum { POINTS = 12 };

#begin_options
library: mpiio;
file: "btio.out";
processes: 4;
assume: POINTS = 12, side = 6, cell = 0;
assume: z0 = cell * 6, y0 = (rank / 2 + cell) % 2 * 6, x0 = (rank + cell) % 2 * 6;
#end_options

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int cells = (int)(sqrt((double)size) + 0.5), side = POINTS / cells;
    if (cells * cells != size || side * cells != POINTS)
        MPI_Abort(MPI_COMM_WORLD, 1); /* 1, 4, 9, 16, ... processes */
    double *solution = (double *)calloc((size_t)side * side * side * 5, sizeof *solution);
    if (!solution)
        MPI_Abort(MPI_COMM_WORLD, 1);
    #begin_dimensions
    z: POINTS; y: POINTS; x: POINTS; parts: 5;
    #end_dimensions
    #begin_variables
    u: double, 4, z, y, x, parts;
    #end_variables
    for (int cell = 0; cell < cells; cell++) {
        int z0 = cell * side, y0 = (rank / cells + cell) % cells * side, x0 = (rank + cell) % cells * side;
        for (int i = 0; i < side * side * side * 5; i++) {
            int part = i % 5, px = i / 5 % side, py = i / 5 / side % side, pz = i / 5 / side / side;
            solution[i] = (((z0 + pz) * POINTS + y0 + py) * POINTS + x0 + px) * 5 + part;
        }
        #begin_write
        array: rank, u, z0, side, y0, side, x0, side, 0, parts, solution;
        #end_write
    }
    #close
    free(solution);
    MPI_Finalize();
    return 0;
}
