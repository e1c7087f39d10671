/* Messages within groups of all kinds, a kind for each argument: `run` beside it counts them. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { LARGE = 200 << 10 };
static char in[16 * LARGE], out[16 * LARGE];
static int rank, ranks;

/* Those with even and those with odd ranks talk to each other. */
static void sides(void)
{
    MPI_Comm half, both;
    int size, others, own, odd = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, -rank, &half);
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &size);
    int last[2] = {(ranks - 1) / 2 * 2, ranks / 2 * 2 - 1}; /* the first ones of both halves */
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, last[!odd], 1, &both);
    MPI_Comm_remote_size(both, &others);
    for (int i = 0; i < others; i++) {
        if (odd)
            MPI_Send(out, 100 * (i + 1), MPI_CHAR, i, 2, both);
        else
            MPI_Recv(in, 1000, MPI_CHAR, i, 2, both, MPI_STATUS_IGNORE);
    }
    int root = odd ? 1 : own == 1 ? MPI_ROOT : MPI_PROC_NULL; /* rank 1 of the even ones */
    MPI_Bcast(out, 1000, MPI_CHAR, root, both);
    MPI_Gather(out, 10, MPI_INT, in, 10, MPI_INT, root, both);
    MPI_Reduce(out, in, 10, MPI_INT, MPI_SUM, root, both);
    MPI_Allgather(out, odd ? 7 : 3, MPI_CHAR, in, odd ? 3 : 7, MPI_CHAR, both);
    MPI_Barrier(both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

/* A message on a duplicate is none of the original. */
static void duplicates(void)
{
    MPI_Comm same;
    MPI_Comm_dup(MPI_COMM_WORLD, &same);
    if (rank == 0) {
        MPI_Send(out, 10, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        MPI_Send(out, 20, MPI_CHAR, 1, 1, same);
    } else if (rank == 1) {
        MPI_Recv(in, 100, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, same, MPI_STATUS_IGNORE);
        MPI_Recv(in, 100, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&same);
}

/* Nobody makes a collective call on this one. */
static void parts(void)
{
    MPI_Comm third;
    int own, size;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &third);
    MPI_Comm_rank(third, &own);
    MPI_Comm_size(third, &size);
    MPI_Sendrecv(out, 100, MPI_CHAR, (own + 1) % size, 1, in, 100, MPI_CHAR,
                 (own + size - 1) % size, 1, third, MPI_STATUS_IGNORE);
    MPI_Comm_free(&third);
}

/* In a line: the first and the last one have one neighbour. */
static void line(void)
{
    MPI_Comm line;
    MPI_Request request;
    int counts[2] = {rank + 1, rank + 1}, gets[2] = {rank, rank + 2}, at[2] = {0, 100};
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, (int[]){0}, 0, &line);
    for (int i = 0; i < 3; i++)
        MPI_Neighbor_alltoall(out, LARGE, MPI_CHAR, in, LARGE, MPI_CHAR, line);
    MPI_Ineighbor_allgather(out, 5, MPI_CHAR, in, 5, MPI_CHAR, line, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Neighbor_alltoallv(out, counts, at, MPI_CHAR, in, gets, at, MPI_CHAR, line);
    MPI_Comm_free(&line);
}

/* Everybody to the next one, twice. */
static void ring(void)
{
    MPI_Comm ring;
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, (int[]){left, left}, (int[]){1, 1}, 2,
                                   (int[]){right, right}, (int[]){1, 1}, MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_alltoall(out, 100, MPI_CHAR, in, 100, MPI_CHAR, ring);
    MPI_Neighbor_alltoallv(out, (int[]){30, 40}, (int[]){0, 100}, MPI_CHAR, in, (int[]){30, 40},
                           (int[]){0, 100}, MPI_CHAR, ring);
    MPI_Comm_free(&ring);
}

/* Each reaches the next one. */
static void epochs(void)
{
    MPI_Win window;
    MPI_Group all, to, from;
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks, over = 0;
    MPI_Win_create(in, sizeof in, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 1, &right, &to);
    MPI_Group_incl(all, 1, &left, &from);
    for (int i = 0; i < 2; i++) {
        MPI_Win_post(from, 0, window);
        MPI_Win_start(to, 0, window);
        MPI_Put(out, 1000, MPI_CHAR, right, 0, 1000, MPI_CHAR, window);
        MPI_Win_complete(window);
        if (i == 0)
            MPI_Win_wait(window);
        while (i == 1 && !over)
            MPI_Win_test(window, &over);
    }
    MPI_Win_free(&window);
}

/* Everybody tells everybody else in another type. */
static void types(void)
{
    int counts[16], at[16];
    MPI_Datatype types[16];
    for (int i = 0; i < ranks; i++) {
        counts[i] = 10;
        at[i] = 100 * i;
        types[i] = (i + rank) % 2 ? MPI_INT : MPI_DOUBLE;
    }
    MPI_Alltoallw(out, counts, at, types, in, counts, at, types, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*talk)(void);
    } kinds[] = {{"sides", sides}, {"duplicates", duplicates}, {"parts", parts}, {"line", line},
                 {"ring", ring},   {"epochs", epochs},         {"types", types}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (argc > 1 && !strcmp(argv[1], kinds[i].name))
            kinds[i].talk();
    MPI_Finalize();
    return 0;
}
