/* A file of MPI that cannot be opened: "used" all the same, or not ("asked"). */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_File file;
    char bytes[1000] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int error = MPI_File_open(MPI_COMM_WORLD, "absent/folder/out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (!error || !strcmp(argv[argc - 1], "used")) {
        MPI_File_write_at_all(file, 1000 * rank, bytes, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    MPI_Finalize();
    return 0;
}
