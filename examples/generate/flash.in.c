/* The checkpoint of an astrophysics code, FLASH: each process has blocks of cells, with guard
 * cells around them and the variables of a cell side by side. In the file each variable is an
 * array of its own, without guard cells. */
#include <mpi.h>
#include <stdlib.h>

enum { BLOCKS = 5, CELLS = 8, GUARDS = 4, VARIABLES = 6, SIDE = CELLS + 2 * GUARDS };

static double unknowns[BLOCKS][SIDE][SIDE][SIDE][VARIABLES];

#begin_options
library: pnetcdf;
file: "flash.checkpoint";
processes: 4;
assume: BLOCKS = 5, CELLS = 8, GUARDS = 4, VARIABLES = 6, SIDE = 16;
#end_options

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int b = 0; b < BLOCKS; b++)
        for (int z = 0; z < SIDE; z++)
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++)
                    for (int v = 0; v < VARIABLES; v++)
                        unknowns[b][z][y][x][v] =
                            v * 1e6 + (rank * BLOCKS + b) * 1e3 + ((z - GUARDS) * CELLS + y - GUARDS) * CELLS + x - GUARDS;

    #begin_dimensions
    blocks: size * BLOCKS; z: CELLS; y: CELLS; x: CELLS;
    #end_dimensions
    #begin_variables
    dens: double, 4, blocks, z, y, x;
    pres: double, 4, blocks, z, y, x;
    temp: double, 4, blocks, z, y, x;
    velx: double, 4, blocks, z, y, x;
    vely: double, 4, blocks, z, y, x;
    velz: double, 4, blocks, z, y, x;
    #end_variables
    #begin_attributes
    unit: dens, char, "g/cm^3";
    time: *, double, 0.5;
    #end_attributes
    #begin_write
    array: rank, dens, rank * BLOCKS, BLOCKS, 0, z, 0, y, 0, x,
           unknowns in <BLOCKS, SIDE, SIDE, SIDE, VARIABLES> at <0, GUARDS, GUARDS, GUARDS, 0>;
    array: rank, pres, rank * BLOCKS, BLOCKS, 0, z, 0, y, 0, x,
           unknowns in <BLOCKS, SIDE, SIDE, SIDE, VARIABLES> at <0, GUARDS, GUARDS, GUARDS, 1>;
    array: rank, temp, rank * BLOCKS, BLOCKS, 0, z, 0, y, 0, x,
           unknowns in <BLOCKS, SIDE, SIDE, SIDE, VARIABLES> at <0, GUARDS, GUARDS, GUARDS, 2>;
    array: rank, velx, rank * BLOCKS, BLOCKS, 0, z, 0, y, 0, x,
           unknowns in <BLOCKS, SIDE, SIDE, SIDE, VARIABLES> at <0, GUARDS, GUARDS, GUARDS, 3>;
    array: rank, vely, rank * BLOCKS, BLOCKS, 0, z, 0, y, 0, x,
           unknowns in <BLOCKS, SIDE, SIDE, SIDE, VARIABLES> at <0, GUARDS, GUARDS, GUARDS, 4>;
    array: rank, velz, rank * BLOCKS, BLOCKS, 0, z, 0, y, 0, x,
           unknowns in <BLOCKS, SIDE, SIDE, SIDE, VARIABLES> at <0, GUARDS, GUARDS, GUARDS, 5>;
    #end_write
    MPI_Finalize();
    return 0;
}
