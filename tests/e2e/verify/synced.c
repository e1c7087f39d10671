/* Two ranks write and read what the other one wrote, with one MPI_File_sync of both between (one),
 * a second one behind a barrier (two), or each with a file that it opened alone (alone); or one,
 * after rank 0 has called it with a third rank (before), or of another handle of the file (other).
 * Or they only write, through the shared file pointer (pointer). */
#include <mpi.h>
#include <string.h>

static void sync_without(int left_out, int rank)
{
    MPI_Comm others;
    MPI_File file;
    MPI_Comm_split(MPI_COMM_WORLD, rank == left_out, 0, &others);
    if (rank == left_out)
        return;
    MPI_File_open(others, "synced.data", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_File_sync(file);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    int rank;
    char bytes[64] = {0};
    MPI_File file, other = MPI_FILE_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "before") == 0)
        sync_without(1, rank);
    MPI_File_open(strcmp(argv[1], "alone") == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD, "synced.data",
                  MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    if (strcmp(argv[1], "other") == 0)
        MPI_File_open(MPI_COMM_WORLD, "synced.data", MPI_MODE_RDWR, MPI_INFO_NULL, &other);
    if (strcmp(argv[1], "pointer") == 0) {
        MPI_File_write_shared(file, bytes, 64, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
        MPI_Finalize();
        return 0;
    }
    if (rank < 2)
        MPI_File_write_at(file, rank * 64, bytes, 64, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(strcmp(argv[1], "other") ? file : other);
    if (strcmp(argv[1], "two") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_sync(file);
    }
    if (rank < 2)
        MPI_File_read_at(file, (1 - rank) * 64, bytes, 64, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (other != MPI_FILE_NULL)
        MPI_File_close(&other);
    MPI_Finalize();
    return 0;
}
