/* A plate, by rows: one long run of each process. */
#include "save.h"

void save(int rank, int size, const double *values, const char *path)
{
    int rows = POINTS / size;
    #begin_options
    library: mpiio; file: path; processes: 4; assume: POINTS = 1024, rows = 256;
    #end_options
    #begin_dimensions
    y: POINTS; x: POINTS;
    #end_dimensions
    #begin_variables
    plate: double, 2, y, x;
    #end_variables
    #begin_write
    array: rank, plate, rank * rows, rows, 0, POINTS, values;
    #end_write
}
