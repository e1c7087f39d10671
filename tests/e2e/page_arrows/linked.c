/* Three ranks: a ring of nonblocking messages, a nonblocking write to a file of each, a nonblocking
 * barrier, and collective calls to which rank 1 comes late. Rank 0 forks a child, and makes a
 * thread. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 4, LATE = 20000 /* us */ };

static void *other(void *unused)
{
    int file = open("thread.out", O_WRONLY | O_CREAT, 0600);
    close(file);
    return unused;
}

static void make_others(void)
{
    pthread_t thread;
    pid_t child = fork();
    if (!child) {
        int file = open("child.out", O_WRONLY | O_CREAT, 0600);
        close(file);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
}

int main(int count, char **arguments)
{
    int rank, size, got;
    char name[40];
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!rank)
        make_others();
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Request both[2];
        MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, turn, MPI_COMM_WORLD, &both[0]);
        MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, turn, MPI_COMM_WORLD, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    }
    MPI_File file;
    MPI_Request one;
    snprintf(name, sizeof name, "linked.%d", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_iwrite_at(file, 0, &rank, 1, MPI_INT, &one);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Ibarrier(MPI_COMM_WORLD, &one);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    for (int turn = 0; turn < TURNS; turn++) {
        if (rank == 1)
            usleep(LATE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
