#include <mpi.h>
enum { N = 24, ROUNDS = 20 };
int main(int argc, char **argv)
{
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int own = N * rank / size, some = N * (rank + 1) / size - own;
    int other = size - 1 - rank, from = N * other / size, others = N * (other + 1) / size - from;
    int a[N] = {0}, b[N] = {0};
    #begin_options
    library: mpiio; file: "rounds.out";
    #end_options
    #begin_dimensions
    n: N;
    #end_dimensions
    #begin_variables
    values: int, 1, n;
    #end_variables
    #begin_write
    first: rank, values, own, some, a;
    #end_write
    /* In each round the values of another process, then new ones of its own. */
    for (int round = 0; round < ROUNDS; round++) {
        #begin_read
        r: rank, values, from, others, b;
        #end_read
        for (int i = 0; i < others; i++)
            wrong += b[i] != (round ? round * 100 + from + i : 0);
        for (int i = 0; i < some; i++)
            a[i] = (round + 1) * 100 + own + i;
        #begin_write
        w: rank, values, own, some, a;
        #end_write
    }
    #close
    #begin_options
    file: "rounds.out"; mode: read;
    #end_options
    #begin_read
    r: rank, values, from, others, b;
    #end_read
    for (int i = 0; i < others; i++)
        wrong += b[i] != ROUNDS * 100 + from + i;
    if (wrong)
        MPI_Abort(MPI_COMM_WORLD, 9);
    MPI_Finalize();
    return 0;
}
