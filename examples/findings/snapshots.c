/* Snapshots of a heat equation: all ranks write their rows of a grid to one file, every step.
 *
 *     snapshots bad      opens the file and makes the datatype for every snapshot
 *     snapshots mended   opens the file and makes the datatype once
 */
#include <mpi.h>
#include <string.h>

enum { STEPS = 120, COLUMNS = 32, ROWS = 8 };

static MPI_File file;
static MPI_Datatype rows;

static void open_file(int ranks)
{
    MPI_File_open(MPI_COMM_WORLD, "snapshots.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_Type_vector(ROWS, COLUMNS, COLUMNS * ranks, MPI_DOUBLE, &rows);
    MPI_Type_commit(&rows);
}

static void close_file(void)
{
    MPI_Type_free(&rows);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    static double grid[ROWS * COLUMNS];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int mended = argc > 1 && strcmp(argv[1], "mended") == 0;
    if (mended)
        open_file(ranks);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < ROWS * COLUMNS; i++)
            grid[i] += 0.5 * (rank - grid[i]);
        if (!mended)
            open_file(ranks);
        MPI_Offset snapshot = (MPI_Offset)sizeof grid * ranks * step;
        MPI_File_write_at_all(file, snapshot + (MPI_Offset)sizeof grid * rank, grid, ROWS * COLUMNS, MPI_DOUBLE, MPI_STATUS_IGNORE);
        if (!mended)
            close_file();
    }
    if (mended)
        close_file();
    MPI_Finalize();
    return 0;
}
