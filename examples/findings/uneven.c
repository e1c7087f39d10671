/* Ranks that write their results to their own files, with a barrier after each step.
 *
 *     uneven bad      the last rank writes 24 times as much as the others
 *     uneven mended   all ranks write the same amount
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 20, STEPS = 8, MUCH = 24 };

int main(int argc, char **argv)
{
    int rank, ranks;
    char name[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int mended = argc > 1 && strcmp(argv[1], "mended") == 0;
    int blocks = mended             ? (MUCH + ranks - 1) / ranks
                 : rank + 1 < ranks ? 1
                                    : MUCH;
    char *block = calloc(1, BLOCK);
    snprintf(name, sizeof name, "result.%d", rank);
    int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < blocks; i++)
            if (pwrite(file, block, BLOCK, (off_t)i * BLOCK) != BLOCK)
                MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(block);
    close(file);
    MPI_Finalize();
    return 0;
}
