#include <mpi.h>
#if 1
#include <stdio.h>
#endif
int main(int argc, char **argv)
{
    int rank, count = 3, start = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int part[4] = {rank, rank, rank, rank};
    #begin_options
    library: mpiio; file: "individual.out";
    #end_options
    #begin_dimensions
    x: 12;
    #end_dimensions
    #begin_variables
    t: int, 1, x;
    #end_variables
    #begin_write
    array: 0, t, 0, 1, part;
    array: 1-2, t, rank * start, count - 1, part;
    array: 3, t, 8, 4, part;
    #end_write
    MPI_Finalize();
    return 0;
}
