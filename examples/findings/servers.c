/* Ranks that compute, and ranks that only take results and write them (as in MONC or ICON).
 *
 *     servers bad      two servers, of which one passes its data to the other: only one writes
 *     servers mended   one server
 */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 60, PART = 64 << 10, COMPUTING = 4000000 /* ns on a processor */ };

static char part[PART];

static void compute(void)
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

/* Receives a part from each client in every step; writes it, or passes it on. */
static void serve(int clients, int hand_on_to)
{
    int fd = hand_on_to < 0 ? open("results.dat", O_CREAT | O_WRONLY, 0644) : -1;
    for (int i = 0; i < clients * STEPS; i++) {
        MPI_Recv(part, PART, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (hand_on_to >= 0)
            MPI_Send(part, PART, MPI_BYTE, hand_on_to, 0, MPI_COMM_WORLD);
        else if (write(fd, part, PART) != PART)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int servers = argc > 1 && strcmp(argv[1], "mended") == 0 ? 1 : 2, clients = ranks - servers;
    if (rank == 0)
        serve(clients, -1);
    else if (rank < servers) /* gets those of every second client */
        serve(clients / 2, 0);
    for (int step = 0; rank >= servers && step < STEPS; step++) {
        compute();
        MPI_Send(part, PART, MPI_BYTE, servers == 2 && rank % 2 ? 1 : 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
