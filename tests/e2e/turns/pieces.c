/* Ranks that access a file of MPI by its file pointer and through a view, with calls of the system
 * inside. */
#include <mpi.h>

int main(int argc, char **argv)
{
    enum { TURNS = 500, PIECE = 64 };
    char buffer[PIECE] = {0};
    int rank, ranks;
    MPI_File file;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < TURNS; i++)
        MPI_File_write_at(file, (MPI_Offset)(i * ranks + rank) * PIECE, buffer, PIECE, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, rank * PIECE, MPI_SEEK_SET);
    for (int i = 0; i < TURNS; i++)
        MPI_File_read(file, buffer, PIECE / 2, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_vector(2, PIECE / 4, PIECE, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, rank * PIECE / 2, MPI_BYTE, type, "native", MPI_INFO_NULL);
    for (int i = 0; i < TURNS; i++)
        MPI_File_write(file, buffer, PIECE / 4, MPI_BYTE, MPI_STATUS_IGNORE);
    for (int i = 0; i < 20; i++)
        MPI_File_write_all(file, buffer, PIECE / 2, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
