/* Times save() of a pair, generated or by hand: SAVES times, of all processes together. Prints the
 * time that passed and the processor time of all, both in us a save. */
#include "save.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { SAVES = 20 };

static double processor(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
    int rank, size;
    double used, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *values = malloc(POINTS * POINTS * sizeof *values);
    if (!values || argc != 2 || size != 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (size_t i = 0; i < POINTS * POINTS; i++)
        values[i] = rank * 1e8 + (double)i;
    save(rank, size, values, argv[1]); /* the first one makes the file */
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime(), before = processor();
    for (int i = 0; i < SAVES; i++)
        save(rank, size, values, argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    double took = MPI_Wtime() - begin;
    used = processor() - before;
    MPI_Reduce(&used, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.1f %.1f\n", took / SAVES * 1e6, all / SAVES);
    free(values);
    MPI_Finalize();
    return 0;
}
