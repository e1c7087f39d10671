/* Ranks that write and talk until there is a file `stop`. The file `steps` has a byte for each time
 * that all of them have. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int rank, size, goes_on = 1;
    char bytes[64] = {0};
    MPI_File file;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int steps = rank ? -1 : open("steps", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    MPI_File_open(MPI_COMM_WORLD, "ranks.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    for (int i = 0, ready = 1, all; goes_on; i++) {
        MPI_File_write_at(file, (i % 100 * size + rank) * 64, bytes, 64, MPI_BYTE,
                          MPI_STATUS_IGNORE);
        MPI_Allreduce(&ready, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (all != size)
            puts("wrong");
        if (rank == 0 && write(steps, "+", 1) != 1)
            puts("no step");
        usleep(1000);
        goes_on = access("stop", F_OK) != 0;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
