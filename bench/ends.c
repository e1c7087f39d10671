/* ends FOLDER CALLS [mixed]: each rank makes so many pwrites of 8 bytes at random offsets, or mixed
 * calls: read or write, of 1 to 8 bytes, on one of four descriptors, drawn at random. Rank 0 says
 * how long its MPI_Finalize took, and how long the process had a processor in it. */
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 37;
}

static void make_calls(const char *folder, int rank, long calls)
{
    char name[4096];
    uint64_t state = (uint64_t)rank;
    snprintf(name, sizeof name, "%s/ends-%d", folder, rank);
    int file = open(name, O_RDWR | O_CREAT, 0600);
    for (long i = 0; i < calls; i++)
        if (pwrite(file, &state, 8, (off_t)draw(&state)) != 8)
            abort();
    close(file);
}

static void make_mixed_calls(const char *folder, int rank, long calls)
{
    char name[4096], data[8] = {0};
    uint64_t state = (uint64_t)rank;
    int files[4];
    snprintf(name, sizeof name, "%s/ends-%d", folder, rank);
    for (int i = 0; i < 4; i++)
        files[i] = open(name, O_RDWR | O_CREAT, 0600);
    for (long i = 0; i < calls; i++) {
        uint64_t drawn = draw(&state);
        int file = files[drawn % 4];
        size_t bytes = drawn / 4 % 8 + 1;
        if ((drawn / 32 % 2 ? read(file, data, bytes) : write(file, data, bytes)) < 0)
            abort();
    }
    for (int i = 0; i < 4; i++)
        close(files[i]);
}

int main(int argc, char **argv)
{
    int rank;
    long calls = argc > 2 ? atol(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (calls)
        (argc > 3 ? make_mixed_calls : make_calls)(argv[1], rank, calls);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now(CLOCK_MONOTONIC), processor = now(CLOCK_PROCESS_CPUTIME_ID);
    MPI_Finalize();
    if (rank == 0)
        printf("finalize=%.0f cpu=%.0f\n", now(CLOCK_MONOTONIC) - start,
               now(CLOCK_PROCESS_CPUTIME_ID) - processor);
    return 0;
}
