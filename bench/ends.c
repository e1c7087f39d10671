/* ends FOLDER CALLS: each rank makes so many pwrites of 8 bytes at random offsets; rank 0 says how
 * long its MPI_Finalize took. */
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void make_calls(const char *folder, int rank, long calls)
{
    char name[4096];
    uint64_t state = (uint64_t)rank;
    snprintf(name, sizeof name, "%s/ends-%d", folder, rank);
    int file = open(name, O_RDWR | O_CREAT, 0600);
    for (long i = 0; i < calls; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        if (pwrite(file, &state, 8, (off_t)(state >> 37)) != 8)
            abort();
    }
    close(file);
}

int main(int argc, char **argv)
{
    int rank;
    long calls = argc > 2 ? atol(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (calls)
        make_calls(argv[1], rank, calls);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    MPI_Finalize();
    if (rank == 0)
        printf("finalize=%.0f\n", now() - start);
    return 0;
}
