/* What MPI does with handles: requests that complete alone, together and again; groups that are
 * counted; handles that mean nothing; a file that the filters leave out. For two ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, other;

/* A send and two receives, one of them from nobody, completed together: with statuses and without.
 */
static void wait_for_all(void)
{
    int numbers[3] = {rank};
    MPI_Request requests[4];
    MPI_Status statuses[4];
    for (int i = 0; i < 4; i++) {
        MPI_Irecv(&numbers[1], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&numbers[0], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(&numbers[2], 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &requests[2]);
        requests[3] = MPI_REQUEST_NULL;
        memset(statuses, i, sizeof statuses); /* what MPI leaves alone must not count */
        if (i % 2)
            MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        else
            MPI_Waitall(4, requests, statuses);
    }
}

/* From anybody, one after the other. */
static void wait_for_each(void)
{
    double numbers[2] = {rank};
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int left = 2, some, indices[2], index, flag;
    MPI_Irecv(&numbers[1], 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Isend(&numbers[0], 1, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &requests[1]);
    while (left > 0) {
        MPI_Waitsome(2, requests, &some, indices, statuses);
        left -= some;
    }
    MPI_Waitany(2, requests, &index, &statuses[0]); /* none is left */
    MPI_Irecv(&numbers[1], 1, MPI_DOUBLE, other, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(&numbers[0], 1, MPI_DOUBLE, other, 4, MPI_COMM_WORLD);
    do
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    while (!flag);
}

static void start_again(void)
{
    int numbers[2] = {rank};
    MPI_Request request;
    MPI_Status status;
    MPI_Recv_init(&numbers[1], 1, MPI_INT, other, 5, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&request);
        MPI_Send(&numbers[0], 1, MPI_INT, other, 5, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        if (status.MPI_SOURCE != other || status.MPI_TAG != 5)
            abort();
    }
    MPI_Request_free(&request);
}

static void count_groups(void)
{
    MPI_Group one, two;
    int result, size;
    MPI_Comm_group(MPI_COMM_WORLD, &one);
    MPI_Comm_group(MPI_COMM_WORLD, &two);
    MPI_Group_compare(one, two, &result);
    MPI_Group_free(&one);
    MPI_Group_size(two, &size);
    MPI_Group_free(&two);
}

/* Only the root's receive arguments mean something. */
static void gather(void)
{
    int all[2];
    MPI_Datatype garbage;
    memset(&garbage, 0x5c, sizeof garbage);
    MPI_Gather(&rank, 1, MPI_INT, rank == 0 ? all : NULL, rank == 0 ? 1 : -7,
               rank == 0 ? MPI_INT : garbage, 0, MPI_COMM_WORLD);
}

static void split_and_free(void)
{
    MPI_Comm half, none;
    for (int i = 0; i < 2; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
        MPI_Barrier(half);
        MPI_Comm_free(&half);
    }
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none);
}

static void write_file(const char *name)
{
    int numbers[8] = {rank};
    double pair[2] = {0};
    MPI_File file;
    MPI_Datatype vector, structure, parts[2] = {MPI_INT, MPI_DOUBLE};
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, sizeof(double)};
    MPI_Status status;
    MPI_Type_vector(4, 1, 2, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Type_create_struct(2, lengths, places, parts, &structure);
    MPI_Type_commit(&structure);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 64 * rank, numbers, 1, vector, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, 64 * rank + 16, numbers, 8, MPI_INT, &status);
    MPI_File_write_at(file, 64 * rank + 48, pair, 1, structure, &status);
    MPI_File_read_at(file, 1000000, numbers, 8, MPI_INT, &status); /* behind the end */
    MPI_File_close(&file);
    MPI_Type_free(&vector);
    MPI_Type_free(&structure);
}

int main(int argc, char **argv)
{
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    other = 1 - rank;
    wait_for_all();
    wait_for_each();
    start_again();
    count_groups();
    gather();
    split_and_free();
    write_file("seen");
    write_file("left_out");
    MPI_Finalize();
    return ranks != 2;
}
