/* Three ranks that wait for one another, each time in a way of its own: one comes late by SLEEP.
 * Between the scenes all meet in MPI_Allgather. With an argument: rank 2 comes late again and
 * again. */
#include <mpi.h>
#include <unistd.h>

enum { SLEEP = 200000, SHORT_SLEEP = 50000, ROUNDS = 20 };

static int rank, one = 1, all[3];

static void late(int who)
{
    MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    if (rank == who)
        usleep(SLEEP);
}

static void collectives(void)
{
    late(1);
    MPI_Barrier(MPI_COMM_WORLD);
    late(2);
    MPI_Allreduce(&one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    late(0);
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    late(1);
    MPI_Reduce(&one, all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    late(0);
    MPI_Scan(&one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void send_to(int to, int tag)
{
    MPI_Send(&one, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static void receive_from(int from, int tag)
{
    MPI_Recv(&one, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void messages(void)
{
    MPI_Request request;
    late(0); /* the sender: rank 1 waits in MPI_Recv */
    if (rank == 0)
        send_to(1, 1);
    if (rank == 1)
        receive_from(0, 1);
    late(2); /* the receiver, of a message that is there already: nobody waits */
    if (rank == 0)
        send_to(2, 2);
    if (rank == 2)
        receive_from(0, 2);
    late(0); /* the sender: rank 2 waits in MPI_Wait */
    if (rank == 0)
        send_to(2, 3);
    if (rank == 2) {
        MPI_Irecv(&one, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    late(1); /* the receiver of a synchronous send: rank 0 waits in MPI_Ssend */
    if (rank == 0)
        MPI_Ssend(&one, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    if (rank == 1)
        receive_from(0, 4);
    late(-1); /* rank 0 takes the second message of rank 2 first */
    if (rank == 2) {
        send_to(0, 5);
        usleep(SLEEP);
        send_to(0, 6);
    }
    if (rank == 0) {
        receive_from(2, 6);
        receive_from(2, 5);
    }
}

static void file(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "waits.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    late(1);
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof one, &one, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; argc > 1 && i < ROUNDS; i++) {
        if (rank == 2)
            usleep(SHORT_SLEEP);
        MPI_Allreduce(&one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (argc == 1) {
        collectives();
        messages();
        file();
    }
    MPI_Finalize();
    return 0;
}
