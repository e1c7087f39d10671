/* Two ranks write pieces of 128 bytes in turns, all in one collective call through a view, and read
 * them back so. */
#include <mpi.h>

enum { PIECES = 8192, PIECE = 128 };

int main(int argc, char **argv)
{
    static char data[PIECES * PIECE];
    int rank;
    MPI_File file;
    MPI_Datatype pieces;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(PIECES, PIECE, 2 * PIECE, MPI_BYTE, &pieces);
    MPI_Type_commit(&pieces);
    MPI_File_open(MPI_COMM_WORLD, "pieces.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, rank * (MPI_Offset)PIECE, MPI_BYTE, pieces, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, 0, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return MPI_Finalize();
}
