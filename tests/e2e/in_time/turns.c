/* Ranks that access files in turn: `turns` is in a row for all of them together, `halves` for each
 * by itself; one is read in a row by one rank after the other. */
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

enum { TURNS = 50, PIECE = 100, FAR = 100000 };

static int rank, size, failed;

/* Each of its turns: `by_all` behind what the rank before wrote, else behind its own. */
static void in_turn(const char *name, int by_all)
{
    static char piece[PIECE];
    int fd = open(name, O_CREAT | O_RDWR, 0644);
    for (int turn = 0; turn < TURNS; turn++)
        for (int whose = 0; whose < size; whose++) {
            off_t at = by_all ? (turn * size + whose) * (off_t)PIECE
                              : whose * (off_t)FAR + turn * PIECE;
            if (whose == rank)
                failed |= pwrite(fd, piece, PIECE, at) != PIECE;
            MPI_Barrier(MPI_COMM_WORLD);
        }
    close(fd);
}

/* One rank after the other reads all of the file. */
static void one_after_the_other(const char *name)
{
    char piece[PIECE];
    int fd = open(name, O_RDWR, 0644);
    for (int whose = 0; whose < size; whose++) {
        for (int i = 0; whose == rank && i < TURNS; i++)
            failed |= pread(fd, piece, PIECE, i * (off_t)PIECE) != PIECE;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    close(fd);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in_turn("turns", 1);
    in_turn("halves", 0);
    one_after_the_other("turns");
    MPI_Finalize();
    return failed;
}
