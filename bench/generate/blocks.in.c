/* A checkpoint of a plane, in 2 x 2 blocks: runs of processes interleave. */
#include "save.h"

void save(int rank, int size, const double *values, const char *path)
{
    int half = POINTS / 2;
    (void)size;
    #begin_options
    library: mpiio; file: path; processes: 4; assume: POINTS = 1024, half = 512;
    #end_options
    #begin_dimensions
    y: POINTS; x: POINTS;
    #end_dimensions
    #begin_variables
    plane: double, 2, y, x;
    #end_variables
    #begin_write
    array: rank, plane, rank / 2 * half, half, rank % 2 * half, half, values;
    #end_write
}
