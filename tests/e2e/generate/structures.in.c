#include <mpi.h>
#include <string.h>
struct cell { double v[2]; int n; };
enum { N = 6 };
static struct cell all[N + 4][N + 2];
static struct cell back[N + 4][N + 2];

#begin_options
library: pnetcdf; file: "structures.out"; processes: 4;
assume: N = 6;
#end_options
#begin_types
cell: double v[2], int n;
#end_types

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(all, 0, sizeof all);
    memset(back, 0, sizeof back);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            struct cell *c = &all[i + 2][j + 1];
            int at = (rank * N + i) * N + j;
            c->v[0] = at; c->v[1] = at + 0.5; c->n = at;
        }
    #begin_dimensions
    y: N * size; x: N;
    #end_dimensions
    #begin_variables
    grid: cell, 2, y, x;
    #end_variables
    #begin_write
    array: rank, grid, rank * N, N, 0, N, all in <N + 4, N + 2> at <2, 1>;
    #end_write
    #begin_read
    array: rank, grid, rank * N, N, 0, N, back in <N + 4, N + 2> at <2, 1>;
    #end_read
    MPI_Finalize();
    for (int i = 0; i < N + 4; i++)
        for (int j = 0; j < N + 2; j++)
            if (all[i][j].v[0] != back[i][j].v[0] || all[i][j].v[1] != back[i][j].v[1] || all[i][j].n != back[i][j].n)
                return 3;
    return 0;
}
