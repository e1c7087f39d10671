/* end [die | late]: what a rank does around MPI_Finalize. 1,000 writes each by the main thread
 * before it; by another thread before and after; by the main thread after; by an exit handler; and
 * text that stdio writes at exit. `die`: rank 1 is killed instead of coming to MPI_Finalize.
 * `late`: it comes after the others. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WRITES = 1000 };

static int rank;
static sem_t finalized;

static void write_file(const char *what)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%d", what, rank);
    int file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
    for (int i = 0; i < WRITES; i++)
        if (write(file, &i, sizeof i) != sizeof i)
            abort();
    close(file);
}

static void *other_thread(void *unused)
{
    write_file("thread");
    sem_wait(&finalized);
    write_file("thread");
    return unused;
}

static void at_exit(void)
{
    write_file("exit");
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    pthread_t thread;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atexit(at_exit);
    sem_init(&finalized, 0, 0);
    pthread_create(&thread, NULL, other_thread, NULL);
    write_file("before");
    char name[64];
    snprintf(name, sizeof name, "text-%d", rank);
    FILE *text = fopen(name, "w");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && strcmp(mode, "die") == 0)
        kill(getpid(), SIGKILL);
    if (rank == 1 && strcmp(mode, "late") == 0)
        sleep(12);
    MPI_Finalize();
    sem_post(&finalized);
    write_file("after");
    fputs("written at exit\n", text);
    pthread_join(thread, NULL);
    return 0;
}
