/* Rank 0 writes a matrix; then each rank reads some of its columns by itself, 48 bytes of each row.
 * With data sieving turned off (columns.hints), each of these pieces is a system call. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40000, PART = 48, STEPS = 12 };

static void make(const char *path, int ranks)
{
    MPI_File file;
    int row = PART * ranks;
    char *data = malloc((size_t)row * ROWS);
    memset(data, 'm', (size_t)row * ROWS);
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, data, row * ROWS, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    free(data);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_File file;
    MPI_Datatype columns;
    const char *path = argc > 1 ? argv[1] : "columns.data";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        make(path, ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    char *data = malloc(ROWS * PART);
    MPI_Type_vector(ROWS, PART, PART * ranks, MPI_BYTE, &columns);
    MPI_Type_commit(&columns);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, (MPI_Offset)rank * PART, MPI_BYTE, columns, "native", MPI_INFO_NULL);
    for (int step = 0; step < STEPS; step++)
        MPI_File_read_at(file, 0, data, ROWS * PART, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&columns);
    free(data);
    MPI_Finalize();
    return 0;
}
