/* As BT-IO: two cells of each process on a diagonal of a cube, five numbers for each point. */
#include "save.h"

void save(int rank, int size, const double *values, const char *path)
{
    int half = SIDE / 2;
    (void)size;
    #begin_options
    library: mpiio; file: path; processes: 4; assume: SIDE = 64, half = 32, cell = 0;
    #end_options
    #begin_dimensions
    z: SIDE; y: SIDE; x: SIDE; numbers: 5;
    #end_dimensions
    #begin_variables
    u: double, 4, z, y, x, numbers;
    #end_variables
    for (int cell = 0; cell < 2; cell++) {
        #begin_write
        array: rank, u, cell * half, half, (rank / 2 + cell) % 2 * half, half,
               (rank + cell) % 2 * half, half, 0, 5, values;
        #end_write
    }
    #close
}
