/* Numbers of tasks, each for one rank only.
 *
 *     counter bad      each rank locks a file, reads the next number, and writes the one after it
 *     counter mended   each rank takes every n-th number, for n ranks
 */
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { TASKS = 5000 };

static int take(int fd)
{
    int number = 0;
    if (lockf(fd, F_LOCK, 0))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (pread(fd, &number, sizeof number, 0) < 0)
        number = 0;
    number++;
    if (pwrite(fd, &number, sizeof number, 0) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    lseek(fd, 0, SEEK_SET);
    if (lockf(fd, F_ULOCK, 0))
        MPI_Abort(MPI_COMM_WORLD, 1);
    return number - 1;
}

int main(int argc, char **argv)
{
    int rank, ranks, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int mended = argc > 1 && strcmp(argv[1], "mended") == 0;
    int fd = open("next_task", O_CREAT | O_RDWR, 0644);
    for (int i = 0; i < TASKS; i++)
        sum += mended ? i * ranks + rank : take(fd);
    close(fd);
    MPI_Finalize();
    return sum < 0;
}
