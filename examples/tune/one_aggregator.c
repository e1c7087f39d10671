/* Blocks of a matrix are written together: each rank has some of its columns, 1 KiB of each row.
 * With one aggregator whose buffer is 128 KiB (one_aggregator.hints), each step takes hundreds of
 * rounds. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4000, PART = 1024, STEPS = 3 };

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_File file;
    MPI_Datatype block;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *data = malloc(ROWS * PART);
    memset(data, 'a' + rank, ROWS * PART);
    int sizes[] = {ROWS, PART * ranks}, parts[] = {ROWS, PART}, starts[] = {0, PART * rank};
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_BYTE, &block);
    MPI_Type_commit(&block);
    MPI_File_open(MPI_COMM_WORLD, argc > 1 ? argv[1] : "one_aggregator.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int step = 0; step < STEPS; step++) {
        MPI_Offset begin = (MPI_Offset)step * ROWS * PART * ranks;
        MPI_File_set_view(file, begin, MPI_BYTE, block, "native", MPI_INFO_NULL);
        MPI_File_write_all(file, data, ROWS * PART, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Type_free(&block);
    free(data);
    MPI_Finalize();
    return 0;
}
