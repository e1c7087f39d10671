/* Four threads per rank call MPI at once (MPI_THREAD_MULTIPLE): messages, files, datatypes,
 * communicators. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TURNS = 50 };

static int rank;
static MPI_Comm comms[THREADS];
static MPI_File file;

static void *work(void *argument)
{
    int me = (int)(long)argument, got;
    for (int i = 0; i < TURNS; i++) {
        MPI_Request requests[2];
        MPI_Datatype pair;
        MPI_Irecv(&got, 1, MPI_INT, 1 - rank, me, comms[me], &requests[0]);
        MPI_Isend(&i, 1, MPI_INT, 1 - rank, me, comms[me], &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Type_contiguous(2, MPI_CHAR, &pair);
        MPI_Type_commit(&pair);
        MPI_File_write_at(file, 2 * ((rank * THREADS + me) * TURNS + i), "xx", 1, pair,
                          MPI_STATUS_IGNORE);
        MPI_Type_free(&pair);
        if (got != i)
            printf("%d instead of %d\n", got, i);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        puts("not provided");
        MPI_Abort(MPI_COMM_WORLD, 77);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "together", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &file);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
