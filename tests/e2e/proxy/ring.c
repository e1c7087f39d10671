/* ring: ranks write interleaved parts of one file, those of their neighbours in another one, and
 * files of their own, and send to their neighbours in a ring; the first one writes a file more. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { PART = 1024, TURNS = 7 };

int main(int argc, char **argv)
{
    static char bytes[PART], other[PART];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int shared = open("shared", O_CREAT | O_RDWR, 0644);
    int turned = open("turned", O_CREAT | O_WRONLY, 0644);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < TURNS; i++) {
        char name[64];
        if (pwrite(shared, bytes, PART, (i * ranks + rank) * PART) < 0)
            return 1;
        MPI_Sendrecv(bytes, 64, MPI_BYTE, (rank + 1) % ranks, 0, other, 64, MPI_BYTE,
                     (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (pwrite(turned, bytes, PART, (i * ranks + (rank + 1) % ranks) * PART) < 0)
            return 1;
        snprintf(name, sizeof name, "own.%d.%ld", rank, i);
        FILE *own = fopen(name, "w");
        fwrite(bytes, 8, 10, own);
        fclose(own);
    }
    if (rank == 0) {
        int head = open("head", O_CREAT | O_WRONLY, 0644);
        if (write(head, bytes, 100) < 0)
            return 1;
        close(head);
    }
    close(turned);
    close(shared);
    MPI_Allreduce(bytes, other, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
