/* One-sided: who has waited knows what was done before complete.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0), number = 1, *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    MPI_Group all, others;
    int other = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &others);
    if (rank == 0) {
        put(file, 0, 8);
        MPI_Win_start(others, 0, window);
        MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else {
        MPI_Win_post(others, 0, window);
        MPI_Win_wait(window);
        get(file, 0, 8);
    }
    MPI_Group_free(&others);
    MPI_Group_free(&all);
    MPI_Win_free(&window);
    close(file);
}
