/* Rows of a matrix, in turn of the processes, written and read by collective calls: collective FILE
 * [TURNS]. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW = 1024, ROWS = 1024 }; /* integers in a row of a process, and its rows */

int main(int argc, char **argv)
{
    int rank, size, turns = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *data = malloc(sizeof(int) * ROW * ROWS), wrong = 0;
    MPI_File file;
    MPI_Datatype rows;
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "romio_cb_write", "enable");
    MPI_Info_set(hints, "romio_cb_read", "enable");
    MPI_Info_set(hints, "cb_buffer_size", "1048576");
    MPI_Type_vector(ROWS, ROW, ROW * size, MPI_INT, &rows);
    MPI_Type_commit(&rows);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &file);
    MPI_File_set_view(file, (MPI_Offset)rank * ROW * (MPI_Offset)sizeof(int), MPI_INT, rows,
                      "native", MPI_INFO_NULL);
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < ROW * ROWS; i++)
            data[i] = turn + rank + i;
        MPI_File_write_at_all(file, 0, data, ROW * ROWS, MPI_INT, MPI_STATUS_IGNORE);
        for (int i = 0; i < ROW * ROWS; i++)
            data[i] = -1;
        MPI_File_read_at_all(file, 0, data, ROW * ROWS, MPI_INT, MPI_STATUS_IGNORE);
        for (int i = 0; i < ROW * ROWS; i++)
            wrong += data[i] != turn + rank + i;
    }
    MPI_File_close(&file);
    if (wrong)
        fprintf(stderr, "rank %d: %d values are not what was written\n", rank, wrong);
    MPI_Type_free(&rows);
    MPI_Info_free(&hints);
    free(data);
    MPI_Finalize();
    return wrong != 0;
}
