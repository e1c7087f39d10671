/* Writes 64 steps of 64 KiB each, shared out among the ranks: steps shrink (each writes its part of
 * every step) or steps keep (steps are shared out). */
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 64, STEP = 64 << 10 };

int main(int argc, char **argv)
{
    static char step[STEP];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int keep = argc > 1 && strcmp(argv[1], "keep") == 0, part = keep ? STEP : STEP / ranks;
    int fd = open("steps.dat", O_CREAT | O_WRONLY, 0644);
    for (long long i = keep ? rank : 0; i < STEPS; i += keep ? ranks : 1)
        if (pwrite(fd, step, (size_t)part, i * STEP + (keep ? 0 : rank * part)) != part)
            MPI_Abort(MPI_COMM_WORLD, 1);
    close(fd);
    MPI_Finalize();
    return 0;
}
