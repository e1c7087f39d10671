/* Loops of messages, collective calls and writes, drawn by a number: all ranks do the same.
 *
 *     messages SEED LOOPS */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_PARTS = 4, PARTS = 12, LATE = 2 };

static struct {
    int rank, left, right, file;
    MPI_Request late[LATE]; /* waited for in the next round */
    MPI_Comm comm;
} own;

static char sent[64], received[64];

static void both_ways(int from, MPI_Request requests[2])
{
    MPI_Irecv(received, 8, MPI_CHAR, from, 1, own.comm, &requests[0]);
    MPI_Isend(sent, 8, MPI_CHAR, own.right, 1, own.comm, &requests[1]);
}

static void wait_late(void)
{
    for (int i = 0; i < LATE; i++)
        if (own.late[i] != MPI_REQUEST_NULL)
            MPI_Wait(&own.late[i], MPI_STATUS_IGNORE);
}

static void blocking(void)
{
    if (own.rank % 2 == 0) {
        MPI_Send(sent, 16, MPI_CHAR, own.right, 2, own.comm);
        MPI_Recv(received, 16, MPI_CHAR, own.left, 2, own.comm, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(received, 16, MPI_CHAR, own.left, 2, own.comm, MPI_STATUS_IGNORE);
        MPI_Send(sent, 16, MPI_CHAR, own.right, 2, own.comm);
    }
}

static void open_once(void)
{
    char name[32];
    snprintf(name, sizeof name, "part.%d", own.rank);
    int file = open(name, O_CREAT | O_WRONLY, 0644);
    if (write(file, sent, 4) == 4)
        close(file);
}

static void do_part(int part, int turn)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int flag = 0;
    switch (part) {
    case 0:
        both_ways(own.left, requests);
        MPI_Waitall(2, requests, statuses);
        break;
    case 1:
        both_ways(MPI_ANY_SOURCE, requests);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        break;
    case 2:
        blocking();
        break;
    case 3:
        MPI_Allreduce(MPI_IN_PLACE, sent, 4, MPI_CHAR, MPI_MAX, own.comm);
        break;
    case 4:
        MPI_Barrier(own.comm);
        break;
    case 5:
        MPI_Ibarrier(own.comm, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        break;
    case 6:
        if (pwrite(own.file, sent, 8, 0) != 8)
            MPI_Abort(own.comm, 1);
        break;
    case 7:
        open_once();
        break;
    case 8: /* each time to somebody else */
        MPI_Sendrecv(sent, 8, MPI_CHAR, own.right, turn % 3, received, 8, MPI_CHAR, own.left,
                     turn % 3, own.comm, MPI_STATUS_IGNORE);
        break;
    case 9:
        wait_late();
        both_ways(own.left, own.late);
        break;
    case 10:
        MPI_Bcast(sent, 8, MPI_CHAR, turn % 5 ? 0 : 1, own.comm);
        break;
    default:
        both_ways(own.left, requests);
        while (!flag)
            MPI_Testall(2, requests, &flag, statuses);
    }
}

int main(int argc, char **argv)
{
    int loops = argc > 2 ? atoi(argv[2]) : 10, ranks;
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &own.comm);
    own.left = (own.rank + ranks - 1) % ranks;
    own.right = (own.rank + 1) % ranks;
    own.late[0] = own.late[1] = MPI_REQUEST_NULL;
    own.file = open("all", O_CREAT | O_RDWR, 0644);
    srand(seed);
    for (int loop = 0; loop < loops; loop++) {
        int parts[MOST_PARTS], count = 1 + rand() % MOST_PARTS, turns = 1 + rand() % 60;
        for (int i = 0; i < count; i++)
            parts[i] = rand() % PARTS;
        for (int turn = 0; turn < turns; turn++)
            for (int i = 0; i < count; i++)
                do_part(parts[i], turn);
        wait_late();
    }
    close(own.file);
    MPI_Comm_free(&own.comm);
    MPI_Finalize();
    return 0;
}
