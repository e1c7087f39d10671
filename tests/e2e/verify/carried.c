/* One rank writes for all (collective buffering); then each reads its own bytes, and with an
 * argument those of the next rank. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size;
    char bytes[100];
    MPI_File file;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(bytes, 'a' + rank, sizeof bytes);
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_Info_set(info, "cb_nodes", "1");
    MPI_File_open(MPI_COMM_WORLD, "carried.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    MPI_File_write_at_all(file, rank * 100, bytes, 100, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, rank * 100, bytes, 100, MPI_CHAR, MPI_STATUS_IGNORE);
    if (argc > 1)
        MPI_File_read_at(file, (rank + 1) % size * 100, bytes, 100, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
