/* Every rank writes the same header to the same place, each by itself. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    char header[512];
    MPI_File file;
    MPI_Init(&argc, &argv);
    memset(header, 'h', sizeof header);
    MPI_File_open(MPI_COMM_WORLD, "header.data", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at(file, 0, header, sizeof header, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
