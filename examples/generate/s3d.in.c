/* The checkpoints of a combustion code, S3D: four arrays over a grid in blocks of three
 * dimensions; of mass and velocity each process has all of the fourth one. Three files, one for
 * each checkpoint. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Points of the grid, and processes in each direction; species. */
enum { NZ = 8, NY = 12, NX = 16, PZ = 1, PY = 2, PX = 2, SPECIES = 11 };
enum { LZ = NZ / PZ, LY = NY / PY, LX = NX / PX };

static double mass[SPECIES][LZ][LY][LX], pressure[LZ][LY][LX], temperature[LZ][LY][LX],
    velocity[3][LZ][LY][LX];

#begin_options
library: pnetcdf;
processes: 4;
assume: NZ = 8, NY = 12, NX = 16, PZ = 1, PY = 2, PX = 2, SPECIES = 11;
assume: LZ = NZ / PZ, LY = NY / PY, LX = NX / PX;
assume: z = rank / (PY * PX) * LZ, y = rank / PX % PY * LY, x = rank % PX * LX;
#end_options

static double value(int array, int component, int z, int y, int x)
{
    return 1e6 * array + 1e4 * component + (z * NY + y) * NX + x;
}

static void compute(int z0, int y0, int x0, int checkpoint)
{
    for (int z = 0; z < LZ; z++)
        for (int y = 0; y < LY; y++)
            for (int x = 0; x < LX; x++) {
                for (int c = 0; c < SPECIES; c++)
                    mass[c][z][y][x] = value(checkpoint, c, z0 + z, y0 + y, x0 + x);
                for (int c = 0; c < 3; c++)
                    velocity[c][z][y][x] = value(checkpoint, 20 + c, z0 + z, y0 + y, x0 + x);
                pressure[z][y][x] = value(checkpoint, 30, z0 + z, y0 + y, x0 + x);
                temperature[z][y][x] = value(checkpoint, 40, z0 + z, y0 + y, x0 + x);
            }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int z = rank / (PY * PX) * LZ, y = rank / PX % PY * LY, x = rank % PX * LX;
    for (int checkpoint = 0; checkpoint < 3; checkpoint++) {
        char name[64];
        snprintf(name, sizeof name, "field.%d", checkpoint);
        compute(z, y, x, checkpoint);
        #begin_options
        file: name;
        #end_options
        #begin_dimensions
        species: SPECIES; component: 3; nz: NZ; ny: NY; nx: NX;
        #end_dimensions
        #begin_variables
        mass: double, 4, species, nz, ny, nx;
        pressure: double, 3, nz, ny, nx;
        temperature: double, 3, nz, ny, nx;
        velocity: double, 4, component, nz, ny, nx;
        #end_variables
        #begin_write
        array: rank, mass, 0, species, z, LZ, y, LY, x, LX, mass;
        array: rank, pressure, z, LZ, y, LY, x, LX, pressure;
        array: rank, temperature, z, LZ, y, LY, x, LX, temperature;
        array: rank, velocity, 0, component, z, LZ, y, LY, x, LX, velocity;
        #end_write
    }
    MPI_Finalize();
    return 0;
}
