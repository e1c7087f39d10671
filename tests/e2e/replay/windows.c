/* Windows of memory: fences, epochs of some ranks, locks; then each rank writes its part of a
 * file. */
#include <mpi.h>
#include <stdlib.h>

enum { PART = 1000, ROUNDS = 20 };

static int rank, ranks;

static void with_fences(char *memory)
{
    MPI_Win window;
    char from[PART] = {0};
    MPI_Win_create(memory, PART * ranks, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Win_fence(0, window);
        MPI_Put(from, PART, MPI_BYTE, (rank + 1) % ranks, PART * rank, PART, MPI_BYTE, window);
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

static void with_epochs(MPI_Win window)
{
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, ended = 0;
    long value = rank;
    MPI_Group all, to, from;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &next, &to);
    MPI_Group_incl(all, 1, &before, &from);
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Accumulate(&value, 1, MPI_LONG, next, 0, 1, MPI_LONG, MPI_SUM, window);
    MPI_Win_complete(window);
    while (!ended)
        MPI_Win_test(window, &ended);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Group_free(&all);
}

static void with_locks(MPI_Win window)
{
    long one = 1, got = 0;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Fetch_and_op(&one, &got, MPI_LONG, 0, 1, MPI_SUM, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Win_lock_all(0, window);
    MPI_Get(&got, 1, MPI_LONG, 0, 1, 1, MPI_LONG, window);
    MPI_Win_flush_all(window);
    MPI_Win_unlock_all(window);
}

int main(int argc, char **argv)
{
    MPI_Win window;
    MPI_File file;
    long *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    with_fences(calloc((size_t)ranks, PART));
    MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    with_epochs(window);
    with_locks(window);
    MPI_Win_free(&window);
    MPI_File_open(MPI_COMM_WORLD, "windows", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at(file, PART * rank, calloc(1, PART), PART, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
