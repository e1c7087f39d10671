/* Results of all ranks in one file.
 *
 *     one_writer bad      sends everything to rank 0, which writes
 *     one_writer mended   each rank writes its own part
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PART = 1 << 20, STEPS = 8 };

static void write_part(int fd, const char *part, long long offset)
{
    if (pwrite(fd, part, PART, offset) != PART)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int mended = argc > 1 && strcmp(argv[1], "mended") == 0;
    char *part = malloc(PART), *all = malloc((size_t)PART * (size_t)ranks);
    int fd = mended || rank == 0 ? open("results.dat", O_CREAT | O_WRONLY, 0644) : -1;
    for (long long step = 0; step < STEPS; step++) {
        memset(part, 'a' + rank % 26, PART);
        if (mended) {
            write_part(fd, part, (step * ranks + rank) * PART);
            continue;
        }
        MPI_Gather(part, PART, MPI_BYTE, all, PART, MPI_BYTE, 0, MPI_COMM_WORLD);
        for (int i = 0; rank == 0 && i < ranks; i++)
            write_part(fd, all + (size_t)i * PART, (step * ranks + i) * PART);
    }
    if (fd >= 0)
        close(fd);
    free(part);
    free(all);
    MPI_Finalize();
    return 0;
}
