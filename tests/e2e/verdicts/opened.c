/* Ranks that open a file together and write to places of their own; with an argument they resize it
 * before, and meet ("barrier") or not. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_File file;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "opened.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    if (argc > 1)
        MPI_File_set_size(file, 0);
    if (argc > 1 && !strcmp(argv[1], "barrier"))
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_at(file, rank * 8, &rank, 4, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return MPI_Finalize();
}
