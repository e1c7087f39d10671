/* Times what a program does between MPI_Init and MPI_Finalize, or from its start to its end if it
 * is built with WITHOUT_MPI: linked to it. Prints the time that passed in us, of the slowest rank.
 */
#include <stdio.h>

#ifdef WITHOUT_MPI
#include <time.h>

static double begin;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

__attribute__((constructor)) static void start(void)
{
    begin = now();
}

__attribute__((destructor)) static void end(void)
{
    fprintf(stderr, "between %.1f\n", now() - begin);
}
#else
#include <mpi.h>

static double begin;

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    PMPI_Barrier(MPI_COMM_WORLD);
    begin = PMPI_Wtime();
    return result;
}

int MPI_Finalize(void)
{
    double took = PMPI_Wtime() - begin, most = 0;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        fprintf(stderr, "between %.1f\n", most * 1e6);
    return PMPI_Finalize();
}
#endif
