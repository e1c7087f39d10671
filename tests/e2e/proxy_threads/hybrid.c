// Threads of ranks: each has a file of its own and a part of one for all, and sends to the same thread of the next rank.
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 3, STEPS = 10, BYTES = 4096 };

static int rank, size;
static MPI_File all;

static void *work(void *own)
{
    static char blocks[THREADS][2][BYTES];
    long thread = (long)own;
    char name[64], *block = blocks[thread][0];
    snprintf(name, sizeof name, "rank%d.%ld", rank, thread);
    int fd = open(name, O_CREAT | O_WRONLY, 0644);
    for (int i = 0; i < STEPS; i++)
        if (write(fd, block, 1000 + 100 * (size_t)thread) < 0)
            return NULL;
    close(fd);
    MPI_File_write_at(all, (rank * THREADS + thread) * BYTES, block, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Sendrecv(block, 100, MPI_BYTE, (rank + 1) % size, (int)thread, blocks[thread][1], 100, MPI_BYTE, (rank + size - 1) % size, (int)thread,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int given;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, "all", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &all);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&all);
    MPI_Finalize();
    return 0;
}
