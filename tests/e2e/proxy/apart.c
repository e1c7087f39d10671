/* apart: each rank does something of its own, also before MPI starts; a datatype whose extent is
 * far larger than its data. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *own = getenv("OMPI_COMM_WORLD_RANK");
    for (int i = 0; i <= (own ? atoi(own) : 0); i++)
        fclose(fopen("settings", "a"));
    MPI_Init(&argc, &argv);
    int rank, ranks, value = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Datatype wide;
    MPI_Type_create_resized(MPI_BYTE, 0, 65536, &wide);
    MPI_Type_commit(&wide);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, rank, MPI_BYTE, wide, "native", MPI_INFO_NULL);
    char bytes[512] = {0};
    MPI_File_write_all(file, bytes, sizeof bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&wide);
    for (int i = 0; i < rank; i++)
        MPI_Sendrecv_replace(&value, 1, MPI_INT, rank, i, rank, i, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
