/* A series in time: a field on a grid of processes, and one number of all of them, at each step.
 * The file grows by a record at each. */
#include <mpi.h>
#include <stdlib.h>

enum { STEPS = 5, ROWS = 12, COLUMNS = 20 };

#begin_options
library: netcdf4;
file: "series.out";
assume: ROWS = 12, COLUMNS = 20, step = 0;
#end_options

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static float part[ROWS / 2][COLUMNS / 2];
    #begin_dimensions
    time: unlimited;
    y: ROWS;
    x: COLUMNS;
    #end_dimensions
    #begin_variables
    seconds: double, 1, time;
    height: float, 3, time, y, x;
    #end_variables
    #begin_attributes
    unit: height, char, "m";
    valid_range: height, float, 0, 10000;
    #end_attributes
    for (int step = 0; step < STEPS; step++) {
        double seconds = step * 0.5;
        for (int i = 0; i < ROWS / 2; i++)
            for (int j = 0; j < COLUMNS / 2; j++)
                part[i][j] = (float)(step * 1000 + (rank / 2 * (ROWS / 2) + i) * COLUMNS + rank % 2 * (COLUMNS / 2) + j);
        #begin_write
        // Rank 0 writes the time; four processes, in a grid of 2 x 2, the field.
        array: 0, seconds, step, 1, &seconds;
        array: <1, 2, 2>, height, <step, 0, 0>, <1, ROWS / 2, COLUMNS / 2>, <0, ROWS / 2, COLUMNS / 2>, part;
        #end_write
    }
    #close
    MPI_Finalize();
    return 0;
}
