/* late_rank: ranks that ask for their rank late, and then in a communicator of their own; the first
 * one writes. */
#include <mpi.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    int rank, sum, one = 1, threads;
    MPI_Comm half;
    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &threads);
    for (int i = 0; i < 40; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Bcast(&sum, 1, MPI_INT, 0, half);
    if (rank == 1) {
        MPI_File file;
        MPI_File_open(MPI_COMM_SELF, "one.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                      &file);
        for (int i = 0; i < 10; i++)
            MPI_File_write(file, &sum, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
