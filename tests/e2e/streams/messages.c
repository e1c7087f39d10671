/* Messages and file accesses of two ranks whose tags, sizes and offsets go by steps, and whose
 * requests end in any order: messages WHAT TURNS ACCOUNT. Rank 0 has noted in ACCOUNT what its
 * calls got, one line for each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEERS = 16, CROWD = 48 };

static char bytes[1 << 16], account[64 << 20], *recorded = account;
static int rank, other;
static unsigned seed = 1;

static int drawn(int limit)
{
    seed = seed * 1103515245u + 12345u;
    return (int)(seed >> 16) % limit;
}

/* Each message has a tag of its own, and half as many bytes as that. */
static void tags(int turn)
{
    int tag = turn % 30000, count = tag / 2;
    if (rank == 0) {
        MPI_Send(bytes, count, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
        recorded += sprintf(recorded, "MPI_Send %d %d\n", count, tag);
    } else {
        MPI_Recv(bytes, (int)sizeof bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Rank 0 waits for whichever of many receives ends first, and posts it again. */
static MPI_Request posted[PEERS]; /* 0 or NULL before they are */

static void post(int peer)
{
    MPI_Irecv(&bytes[peer], 1, MPI_BYTE, 1, peer, MPI_COMM_WORLD, &posted[peer]);
}

static void any_order(int turn)
{
    int peer = drawn(PEERS);
    if (rank == 1) {
        MPI_Send(bytes, 1, MPI_BYTE, 0, peer, MPI_COMM_WORLD);
        return;
    }
    for (int i = 0; turn == 0 && i < PEERS; i++)
        post(i);
    MPI_Waitany(PEERS, posted, &peer, MPI_STATUS_IGNORE);
    recorded += sprintf(recorded, "MPI_Waitany %d\n", peer);
    post(peer);
}

/* The same with an answer, which is on its way when the receive is posted again. */
static void answers(int turn)
{
    int peer = drawn(PEERS);
    if (rank == 1) {
        MPI_Send(bytes, 1, MPI_BYTE, 0, peer, MPI_COMM_WORLD);
        MPI_Recv(bytes, 1, MPI_BYTE, 0, PEERS + peer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Request answer;
    for (int i = 0; turn == 0 && i < PEERS; i++)
        post(i);
    MPI_Waitany(PEERS, posted, &peer, MPI_STATUS_IGNORE);
    recorded += sprintf(recorded, "MPI_Waitany %d\n", peer);
    MPI_Isend(bytes, 1, MPI_BYTE, 1, PEERS + peer, MPI_COMM_WORLD, &answer);
    post(peer);
    MPI_Wait(&answer, MPI_STATUS_IGNORE);
}

static void shuffle(int *order, int count)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int k = drawn(i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

/* All end before they are posted again, in another order each time. */
static void shuffled(int turn)
{
    int order[PEERS];
    shuffle(order, PEERS);
    for (int i = 0; i < PEERS && rank == 1; i++)
        MPI_Ssend(bytes, 1, MPI_BYTE, 0, order[i], MPI_COMM_WORLD);
    for (int i = 0; turn == 0 && rank == 0 && i < PEERS; i++)
        post(i);
    for (int i = 0; i < PEERS && rank == 0; i++) {
        int peer;
        MPI_Waitany(PEERS, posted, &peer, MPI_STATUS_IGNORE);
        recorded += sprintf(recorded, "MPI_Waitany %d\n", peer);
        order[i] = peer;
    }
    for (int i = 0; i < PEERS && rank == 0; i++)
        post(order[i]);
}

/* The same with more of them than a small table of who receives what would have places for. */
static MPI_Request crowd[2][CROWD];

static void post_crowd(int array, int i)
{
    int tag = array * CROWD + i;
    MPI_Irecv(&bytes[tag], 1, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &crowd[array][i]);
}

static void crowded(int turn)
{
    int order[2][CROWD];
    for (int array = 0; array < 2; array++) {
        shuffle(order[array], CROWD);
        for (int i = 0; i < CROWD && rank == 1; i++)
            MPI_Ssend(bytes, 1, MPI_BYTE, 0, array * CROWD + order[array][i], MPI_COMM_WORLD);
        for (int i = 0; turn == 0 && rank == 0 && i < CROWD; i++)
            post_crowd(array, i);
    }
    for (int array = 0; array < 2 && rank == 0; array++)
        for (int i = 0; i < CROWD; i++) {
            MPI_Waitany(CROWD, crowd[array], &order[array][i], MPI_STATUS_IGNORE);
            recorded += sprintf(recorded, "MPI_Waitany %d\n", order[array][i]);
        }
    for (int array = 0; array < 2 && rank == 0; array++)
        for (int i = 0; i < CROWD; i++)
            post_crowd(array, order[array][i]);
}

/* Some end at a time. */
static void some(int turn)
{
    int order[PEERS], ended[PEERS], count, open = 5;
    shuffle(order, PEERS);
    for (int i = 0; i < open && rank == 1; i++)
        MPI_Send(bytes, 1, MPI_BYTE, 0, order[i], MPI_COMM_WORLD);
    for (int i = 0; turn == 0 && rank == 0 && i < PEERS; i++)
        post(i);
    for (; open > 0 && rank == 0; open -= count) {
        MPI_Waitsome(PEERS, posted, &count, ended, MPI_STATUSES_IGNORE);
        recorded += sprintf(recorded, "MPI_Waitsome %d\n", count);
        for (int i = 0; i < count; i++)
            post(ended[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Requests that are made once and started again and again. */
static void persistent(int turn)
{
    MPI_Request made[4];
    (void)turn;
    for (int i = 0; i < 2; i++) {
        MPI_Recv_init(&bytes[i], 1, MPI_BYTE, other, i, MPI_COMM_WORLD, &made[i]);
        MPI_Send_init(&bytes[8 + i], 1, MPI_BYTE, other, i, MPI_COMM_WORLD, &made[2 + i]);
    }
    for (int again = 0; again < 3; again++) {
        MPI_Startall(4, made);
        MPI_Waitall(4, made, MPI_STATUSES_IGNORE);
    }
    for (int i = 3; i >= 0; i--)
        MPI_Request_free(&made[i]);
}

/* A header between records, and two regions by turns, in one file. */
static void file(int turn)
{
    static MPI_File opened;
    const MPI_Offset offsets[] = {rank * 8, 4096 + 80 * (MPI_Offset)turn + 40 * rank,
                                  (1 << 20) + 240 * (MPI_Offset)turn};
    if (turn == 0)
        MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                      &opened);
    for (int i = 0; i < 3; i++) {
        MPI_File_write_at(opened, offsets[i], bytes, 8, MPI_BYTE, MPI_STATUS_IGNORE);
        recorded += sprintf(recorded, "MPI_File_write_at %lld 8\n", (long long)offsets[i]);
    }
}

static const struct {
    const char *name;
    void (*turn)(int turn);
} all[] = {{"tags", tags}, {"any_order", any_order},   {"answers", answers}, {"shuffled", shuffled},
           {"some", some}, {"persistent", persistent}, {"file", file},       {"crowded", crowded}};

static void give_up(MPI_Request *requests, int count)
{
    for (int i = 0; i < count && requests[i]; i++) {
        MPI_Cancel(&requests[i]);
        MPI_Request_free(&requests[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, argv[1]) == 0)
            for (int turn = 0; turn < atoi(argv[2]); turn++)
                all[i].turn(turn);
    give_up(posted, PEERS);
    give_up(crowd[0], 2 * CROWD);
    FILE *kept = rank == 0 ? fopen(argv[3], "w") : NULL;
    if (kept) {
        fwrite(account, 1, (size_t)(recorded - account), kept);
        fclose(kept);
    }
    return MPI_Finalize();
}
