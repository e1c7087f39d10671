/* Messages whose numbers and bytes are known, between four ranks: blocking and not, persistent,
 * both ways at once, in communicators that turn ranks around, of derived datatypes, to nobody, to
 * anybody, to itself. expected.txt has what comes of them. */
#include <mpi.h>
#include <unistd.h>

enum { ROUNDS = 50, MOST = 4096 };

static int rank, size;
static double here[MOST], there[MOST];

/* 0 -> 1: 3 of 100 ints, 1200 B */
static void send_blocking(void)
{
    for (int i = 0; i < 3; i++)
        if (rank == 0)
            MPI_Send(here, 100, MPI_INT, 1, i, MPI_COMM_WORLD);
        else if (rank == 1)
            MPI_Recv(there, MOST, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Around the ring: ROUNDS of 8 doubles each, 64 B. */
static void send_around(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request requests[2];
        MPI_Irecv(there, 8, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(here, 8, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

/* 2 -> 0: 4 starts of 10 bytes */
static void send_persistent(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 2)
        MPI_Send_init(here, 10, MPI_BYTE, 0, 6, MPI_COMM_WORLD, &request);
    else if (rank == 0)
        MPI_Recv_init(there, 10, MPI_BYTE, 2, 6, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 4 && (rank == 0 || rank == 2); i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
}

/* Ranks turned around: 0 of it is 3 of the world. 3 -> 2: 1 of 7 shorts; 2 -> 3: 1 of 5 floats. */
static void send_in_split(void)
{
    MPI_Comm turned;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    if (rank == 3)
        MPI_Sendrecv(here, 7, MPI_SHORT, 1, 7, there, MOST, MPI_FLOAT, 1, 8, turned,
                     MPI_STATUS_IGNORE);
    else if (rank == 2)
        MPI_Sendrecv(here, 5, MPI_FLOAT, 0, 8, there, MOST, MPI_SHORT, 0, 7, turned,
                     MPI_STATUS_IGNORE);
    MPI_Comm_free(&turned);
}

/* 1 -> 3: 2 of 3 vectors of 4 x 2 doubles with holes, 192 B each */
static void send_derived(void)
{
    MPI_Datatype vector;
    MPI_Type_vector(4, 2, 16, MPI_DOUBLE, &vector);
    MPI_Type_commit(&vector);
    for (int i = 0; i < 2; i++)
        if (rank == 1)
            MPI_Ssend(here, 3, vector, 3, 9, MPI_COMM_WORLD);
        else if (rank == 3)
            MPI_Recv(there, 3 * 8, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&vector);
}

/* nobody gets anything */
static void send_to_nobody(void)
{
    MPI_Send(here, 1000, MPI_DOUBLE, MPI_PROC_NULL, 10, MPI_COMM_WORLD);
    MPI_Sendrecv(here, 1000, MPI_DOUBLE, MPI_PROC_NULL, 10, there, MOST, MPI_DOUBLE, MPI_PROC_NULL,
                 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* 1, 2, 3 -> 0: 1 of `rank` longs each, which 0 takes as they come */
static void send_to_any(void)
{
    for (int i = 1; i < size && rank == 0; i++) {
        MPI_Status status;
        MPI_Recv(there, MOST, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    }
    if (rank)
        MPI_Send(here, rank, MPI_LONG, 0, 100 + rank, MPI_COMM_WORLD);
}

/* 2 -> 2: 1 of 1 int, and 1 of nothing */
static void send_to_self(void)
{
    MPI_Request requests[2];
    if (rank != 2)
        return;
    for (int count = 1; count >= 0; count--) {
        MPI_Irecv(there, count, MPI_INT, 0, 11, MPI_COMM_SELF, &requests[0]);
        MPI_Isend(here, count, MPI_INT, 0, 11, MPI_COMM_SELF, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

/* 3 -> 1: 1 of 20 chars that nobody receives */
static void send_unreceived(void)
{
    MPI_Request request;
    if (rank != 3)
        return;
    MPI_Isend(here, 20, MPI_CHAR, 1, 12, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    send_blocking();
    send_around();
    send_persistent();
    send_in_split();
    send_derived();
    send_to_nobody();
    MPI_Barrier(MPI_COMM_WORLD);
    send_to_any();
    send_to_self();
    MPI_Barrier(MPI_COMM_WORLD);
    send_unreceived();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
