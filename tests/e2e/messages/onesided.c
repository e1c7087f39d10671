/* onesided [MORE]: one-sided accesses whose bytes are known, between four ranks: ONE_SIDED of
 * page.py has what comes of them. MORE others go from 3 to 2, of 4 bytes each. */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

enum { MOST = 1000 };

int main(int count, char **arguments)
{
    static int window[MOST], here[MOST], there[MOST];
    double numbers[10] = {0};
    long one = 1, before;
    int rank;
    MPI_Win win;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3 && rank == 0; i++)
        MPI_Put(here, 100, MPI_INT, 1, 0, 100, MPI_INT, win);
    if (rank == 2)
        MPI_Get(numbers, 10, MPI_DOUBLE, 3, 0, 10, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(here, 5, MPI_INT, 2, 0, 5, MPI_INT, MPI_SUM, win);
    if (rank == 3)
        MPI_Get_accumulate(here, 3, MPI_INT, there, 3, MPI_INT, 0, 0, 3, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (rank == 3)
        MPI_Get_accumulate(NULL, 0, MPI_INT, there, 7, MPI_INT, 1, 0, 7, MPI_INT, MPI_NO_OP, win);
    if (rank == 0)
        MPI_Fetch_and_op(&one, &before, MPI_LONG, 2, 0, MPI_SUM, win);
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 3 && count > 1 && i < atoi(arguments[1]); i++)
        MPI_Put(here, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
