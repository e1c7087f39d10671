/* Six files that all ranks open and close together. All write them; with an argument the first rank
 * only. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static char data[1 << 16];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 6; i++) {
        MPI_File file;
        char name[16];
        snprintf(name, sizeof name, "out.%d", i);
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
        if (argc == 1 || rank == 0)
            MPI_File_write_at(file, rank * (MPI_Offset)sizeof data, data, sizeof data, MPI_BYTE,
                              MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    return MPI_Finalize();
}
