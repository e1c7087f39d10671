/* A request of the program's own making: the thread that writes says that it is done, and who waits
 * for it tells the reader.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#define _GNU_SOURCE
#include "litmus.h"

#include <mpi.h>
#include <pthread.h>

static MPI_Request request;
static int file;

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int nothing(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int not_cancelled(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void *work(void *unused)
{
    put(file, 0, 8);
    MPI_Grequest_complete(request);
    return unused;
}

int main(void)
{
    int rank, provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    file = open_file("shared", 0);
    if (rank == 0) {
        pthread_t worker;
        MPI_Grequest_start(query, nothing, not_cancelled, NULL, &request);
        pthread_create(&worker, NULL, work, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        pthread_join(worker, NULL);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        get(file, 0, 8);
    }
    close(file);
    MPI_Finalize();
    return 0;
}
