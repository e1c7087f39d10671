/* Data operations that end after the call that starts them: nonblocking MPI-IO, split collectives,
 * POSIX aio. Two ranks. */
#include <aio.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

enum { ELEMENTS = 1000, BYTES = ELEMENTS * sizeof(int) };

static int data[ELEMENTS], more[ELEMENTS];

static void with_requests(MPI_File file, int rank)
{
    MPI_Request requests[2];
    MPI_Status status;
    int flag = 0;
    MPI_File_iwrite_at(file, rank * 2 * BYTES, data, ELEMENTS, MPI_INT, &requests[0]);
    MPI_File_iwrite_at(file, (rank * 2 + 1) * BYTES, data, ELEMENTS, MPI_INT, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_File_iread_at(file, rank * 2 * BYTES, more, ELEMENTS, MPI_INT, &requests[0]);
    while (!flag)
        MPI_Test(&requests[0], &flag, &status);
    MPI_File_iwrite_at_all(file, rank * BYTES, data, ELEMENTS, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void in_halves(MPI_File file, int rank)
{
    MPI_File_write_at_all_begin(file, rank * BYTES, data, ELEMENTS, MPI_INT);
    MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE);
}

static void with_aio(int rank)
{
    int file = open(rank ? "aio-1" : "aio-0", O_CREAT | O_RDWR, 0644);
    struct aiocb block = {.aio_fildes = file, .aio_buf = data, .aio_nbytes = BYTES};
    assert(file >= 0 && aio_write(&block) == 0);
    while (aio_error(&block) == EINPROGRESS)
        aio_suspend((const struct aiocb *const[]){&block}, 1, NULL);
    assert(aio_return(&block) == BYTES);
    close(file);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_File requests, halves;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "requests", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &requests);
    with_requests(requests, rank);
    MPI_File_close(&requests);
    MPI_File_open(MPI_COMM_WORLD, "halves", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &halves);
    in_halves(halves, rank);
    MPI_File_close(&halves);
    with_aio(rank);
    MPI_Finalize();
    return 0;
}
