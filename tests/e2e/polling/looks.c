/* Two ranks that wait for each other in steps of uneven length: by looking for a message, and by
 * looking whether one has come; and loops of several calls that end when they end. Each rank notes
 * in `looks.RANK` how often it looked in vain each time. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 60, TAG = 5 };

static int rank, peer, number;
static FILE *notes;

/* Some time, another one each time and on each rank. */
static void work(int step)
{
    static volatile double sum;
    for (int i = 0; i < (step * 7919 + rank * 104729) % 331 * 20; i++)
        sum += i;
}

/* The other rank may need this processor. */
static void give_way(int looks)
{
    if (looks > 20)
        sched_yield();
}

/* How often in vain. */
static int wait_by_testing(void)
{
    MPI_Request request;
    int found = 0, looks = -1;
    MPI_Irecv(&number, 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, &request);
    for (; !found; looks++) {
        MPI_Test(&request, &found, MPI_STATUS_IGNORE);
        give_way(looks);
    }
    return looks;
}

static int wait_by_probing(void)
{
    MPI_Status status;
    int found = 0, looks = -1;
    for (; !found; looks++) {
        MPI_Iprobe(peer, TAG, MPI_COMM_WORLD, &found, &status);
        give_way(looks);
    }
    MPI_Recv(&number, 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return looks;
}

static void send(int step)
{
    MPI_Request request;
    work(step);
    MPI_Isend(&step, 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    char name[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    snprintf(name, sizeof name, "looks.%d", rank);
    notes = fopen(name, "w");
    for (int step = 0; step < STEPS; step++) {
        send(step);
        fprintf(notes, "test %d\n", wait_by_testing());
        send(step);
        fprintf(notes, "probe %d\n", wait_by_probing());
        for (int turns = 1 + step * 31 % 17; turns; turns--) {
            double rest = turns, all;
            MPI_Allreduce(&rest, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    fclose(notes);
    MPI_Finalize();
    return 0;
}
