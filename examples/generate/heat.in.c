/* Heat in a plate, in blocks of rows: each process has some, and writes and reads them back. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64, COLUMNS = 96, STEPS = 20 };

#begin_options
processes: 4;
file: "heat.dat";
library: mpiio;
assume: ROWS = 64, COLUMNS = 96, first = rank * 16, rows = 16;
#end_options

static double old[ROWS + 2][COLUMNS], next[ROWS + 2][COLUMNS], again[ROWS + 2][COLUMNS];

/* Moves the edges of this process to its neighbours. */
static void exchange(int rank, int size, int rows)
{
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(old[1], COLUMNS, MPI_DOUBLE, up, 0, old[rows + 1], COLUMNS, MPI_DOUBLE, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(old[rows], COLUMNS, MPI_DOUBLE, down, 1, old[0], COLUMNS, MPI_DOUBLE, up, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void step(int rank, int size, int rows)
{
    exchange(rank, size, rows);
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            next[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]);
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            old[i][j] = next[i][j];
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)ROWS * rank / size), rows = (int)((long)ROWS * (rank + 1) / size) - first;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            old[i][j] = first + i - 1 + j / 1000.0;
    for (int i = 0; i < STEPS; i++)
        step(rank, size, rows);

    #begin_dimensions
    y: ROWS;
    x: COLUMNS;
    #end_dimensions
    #begin_variables
    temperature: double, 2, y, x;
    #end_variables
    #begin_attributes
    unit: temperature, char, "Celsius";
    steps: *, int, STEPS;
    #end_attributes
    #begin_write
    array: rank, temperature, first, rows, 0, COLUMNS, old[1];
    #end_write

    #begin_options
    file: "heat.dat"; mode: read;
    #end_options
    #begin_read
    array: rank, temperature, first, rows, 0, COLUMNS, again[1];
    #end_read
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            if (again[i][j] != old[i][j]) {
                fprintf(stderr, "rank %d: another value came back\n", rank);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
    MPI_Finalize();
    return 0;
}
