/* Ranks write files of their own, and the first one reads one of them: that of the last rank, or
 * with an argument that of rank 1. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static char bytes[4096];
    char name[64];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "s%03d.%d", i, rank);
        int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        for (int k = 0; k < 4; k++)
            if (pwrite(file, bytes, 1024, k * 2048) < 0)
                return 1;
        close(file);
        MPI_Barrier(MPI_COMM_WORLD);
        snprintf(name, sizeof name, "s%03d.%d", i, argc > 1 ? 1 : ranks - 1);
        file = rank ? -1 : open(name, O_RDONLY);
        if (!rank && (read(file, bytes, 4096) != 4096 || close(file)))
            return 1;
    }
    MPI_Finalize();
    return 0;
}
