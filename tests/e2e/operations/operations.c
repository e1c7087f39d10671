/* Operations that do not block: complete in every way, by another thread, with fewer bytes than
 * asked for, cancelled or not at all. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char room[8][4096];
static MPI_File file;

static void *wait_for(void *request)
{
    MPI_Status status;
    MPI_Wait(request, &status);
    return NULL;
}

static void with_mpi(void)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int index, count, indices[4], flag = 0;
    pthread_t thread;
    MPI_File_open(MPI_COMM_SELF, "mpi", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_iwrite_at(file, 0, room[0], 1000, MPI_BYTE, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, 400, room[0], 4000, MPI_BYTE, &requests[0]); /* finds 600 */
    pthread_create(&thread, NULL, wait_for, &requests[0]);
    pthread_join(thread, NULL);
    for (int i = 0; i < 4; i++)
        MPI_File_iwrite_at(file, 1000 + 100 * i, room[i], 100 - i, MPI_BYTE, &requests[i]);
    MPI_Waitany(4, requests, &index, &statuses[0]);
    MPI_Waitsome(4, requests, &count, indices, statuses);
    MPI_Waitall(4, requests, statuses);
    MPI_File_iread_at(file, 1000, room[0], 64, MPI_BYTE, &requests[0]);
    while (!flag)
        MPI_Test(&requests[0], &flag, &statuses[0]);
    MPI_File_write_at_all_begin(file, 2000, room[0], 128, MPI_BYTE);
    MPI_File_write_at_all_end(file, room[0], &statuses[0]);
    MPI_File_close(&file);
}

static void with_aio(void)
{
    int fd = open("aio", O_CREAT | O_RDWR, 0666);
    struct aiocb write_block = {.aio_fildes = fd, .aio_buf = room[0], .aio_nbytes = 3000};
    struct aiocb read_block = {
        .aio_fildes = fd, .aio_buf = room[1], .aio_nbytes = 4096, .aio_offset = 1000};
    const struct aiocb *list[] = {&write_block};
    aio_write(&write_block);
    while (aio_error(&write_block) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    aio_return(&write_block);
    aio_read(&read_block); /* finds 2000 */
    while (aio_error(&read_block) == EINPROGRESS)
        usleep(100);
    aio_return(&read_block);
    read_block.aio_offset = 0;
    aio_read(&read_block); /* nobody asks how it went */
    sleep(1);
    close(fd);
}

/* Several at once, with and without waiting; what is no read or write is none. */
static void with_lists(void)
{
    int fd = open("lists", O_CREAT | O_RDWR, 0666);
    struct aiocb blocks[] = {
        {.aio_fildes = fd, .aio_buf = room[0], .aio_nbytes = 700, .aio_lio_opcode = LIO_WRITE},
        {.aio_fildes = fd, .aio_buf = room[1], .aio_nbytes = 300, .aio_offset = 700, .aio_lio_opcode = LIO_WRITE},
        {.aio_fildes = fd, .aio_lio_opcode = LIO_NOP}};
    struct aiocb *list[] = {&blocks[0], NULL, &blocks[1], &blocks[2]};
    lio_listio(LIO_WAIT, list, 4, NULL);
    aio_return(&blocks[0]);
    aio_return(&blocks[1]);
    for (int i = 0; i < 2; i++) {
        blocks[i].aio_lio_opcode = LIO_READ;
        blocks[i].aio_nbytes = 600 + i;
    }
    lio_listio(LIO_NOWAIT, list, 4, NULL);
    while (aio_error(&blocks[0]) == EINPROGRESS || aio_error(&blocks[1]) == EINPROGRESS)
        aio_suspend((const struct aiocb *const *)list, 3, NULL);
    aio_return(&blocks[0]);
    aio_return(&blocks[1]); /* finds 300 */
    close(fd);
}

/* Those that stand behind a long one are taken back, if that is soon enough: prints how many were.
 */
static void with_cancel(void)
{
    enum { LONG = 64 << 20, QUEUED = 4 };
    int fd = open("long", O_CREAT | O_RDWR, 0666), taken_back = 0;
    struct aiocb blocks[QUEUED + 1] = {{.aio_fildes = fd, .aio_buf = calloc(LONG, 1), .aio_nbytes = LONG}};
    aio_write(&blocks[0]);
    for (int i = 1; i <= QUEUED; i++) {
        blocks[i] = (struct aiocb){.aio_fildes = fd, .aio_buf = room[0], .aio_nbytes = 10 + i, .aio_offset = LONG};
        aio_write(&blocks[i]);
    }
    for (int i = QUEUED; i > 0; i--)
        taken_back += aio_cancel(fd, &blocks[i]) == AIO_CANCELED;
    for (int i = 0; i <= QUEUED; i++) {
        while (aio_error(&blocks[i]) == EINPROGRESS)
            usleep(1000);
        aio_return(&blocks[i]);
    }
    printf("%d\n", taken_back);
    close(fd);
    unlink("long");
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    with_mpi();
    with_aio();
    with_lists();
    with_cancel();
    MPI_Finalize();
    return 0;
}
