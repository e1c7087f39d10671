/* A header, a part of each rank, and behind these another part of each rank; then a root that is
 * no rank of two. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char bytes[2000];
    int rank, ranks;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_File_open(MPI_COMM_WORLD, "parts", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 64 + 2000 * rank, bytes, 2000, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, 64 + 2000 * ranks + 500 * rank, bytes, 500, MPI_CHAR,
                          MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Bcast(bytes, 4, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
