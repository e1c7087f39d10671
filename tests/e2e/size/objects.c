/* Many handles at once, as HDF5 makes them of a selection without order: `objects COUNT` datatypes,
 * then all of them freed; ten times. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int count = atoi(argv[1]);
    MPI_Datatype *types = malloc((size_t)count * sizeof *types);
    MPI_Init(&argc, &argv);
    for (int turn = 0; turn < 10; turn++) {
        for (int i = 0; i < count; i++) {
            MPI_Type_contiguous(4, MPI_INT, &types[i]);
            MPI_Type_commit(&types[i]);
        }
        for (int i = 0; i < count; i++)
            MPI_Type_free(&types[i]);
    }
    MPI_Finalize();
    free(types);
    return 0;
}
