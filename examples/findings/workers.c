/* Ranks that compute, and ranks whose worker threads receive results and write them, while their
 * first thread waits.
 *
 *     workers bad      two such servers, of which one writes and the other has little to do
 *     workers mended   no servers: each rank writes what it computes
 */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    STEPS = 80,
    PART = 64 << 10,
    COMPUTING = 4000000 /* ns on a processor */,
    SERVERS = 2,
    WORKERS = 2
};

static int clients;

static void compute(char *part)
{
    struct timespec begin, now;
    double x = 1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do {
        for (int i = 0; i < 1000; i++)
            x = cos(x);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < COMPUTING);
    part[0] = (char)(x * 100);
}

/* Of the first server: receives every second part, and writes it. */
static void *write_parts(void *argument)
{
    char part[PART];
    int fd = open("results.dat", O_CREAT | O_WRONLY, 0644);
    for (int i = 0; i < clients * STEPS / WORKERS; i++) {
        MPI_Recv(part, PART, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (write(fd, part, PART) != PART)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    close(fd);
    return argument;
}

/* Of the second one: hands parts on to the first. */
static void *hand_on(void *argument)
{
    char part[PART];
    for (int i = 0; i < clients * STEPS / 2 / WORKERS; i++) {
        MPI_Recv(part, PART, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(part, PART, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    return argument;
}

static void serve(int rank)
{
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, rank ? hand_on : write_parts, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
}

int main(int argc, char **argv)
{
    static char part[PART];
    int rank, ranks, given;
    int servers = argc > 1 && strcmp(argv[1], "mended") == 0 ? 0 : SERVERS;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
    if (given != MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    clients = ranks - servers;
    if (rank < servers)
        serve(rank);
    int fd = servers ? -1 : open("results.dat", O_CREAT | O_WRONLY, 0644);
    for (int step = 0; rank >= servers && step < STEPS; step++) {
        compute(part);
        if (servers)
            MPI_Send(part, PART, MPI_BYTE, rank % SERVERS, 0, MPI_COMM_WORLD);
        else if (pwrite(fd, part, PART, (step * ranks + rank) * (off_t)PART) != PART)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (fd >= 0)
        close(fd);
    MPI_Finalize();
    return 0;
}
