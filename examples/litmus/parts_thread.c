/* A message in parts: one thread waits for all of it, and another one makes a part ready behind the
 * write.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#define _GNU_SOURCE
#include "litmus.h"

#include <mpi.h>
#include <pthread.h>

#if MPI_VERSION >= 4

static int file;
static MPI_Request request;

static void *work(void *unused)
{
    usleep(100000);
    put(file, 0, 8);
    MPI_Pready(0, request);
    return unused;
}

int main(void)
{
    int rank, provided, numbers[2] = {0};
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    file = open_file("shared", 0);
    if (rank == 0) {
        pthread_t worker;
        MPI_Psend_init(numbers, 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        pthread_create(&worker, NULL, work, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_join(worker, NULL);
    } else {
        MPI_Precv_init(numbers, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        get(file, 0, 8);
    }
    MPI_Request_free(&request);
    close(file);
    MPI_Finalize();
    return 0;
}

#else

int main(void)
{
    return 77;
}

#endif
