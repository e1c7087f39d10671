/* Small pieces of all ranks take turns in the file, and are written together: ten steps of 20,000
 * pieces of 64 bytes. With collective buffering and data sieving turned off (interleaved.hints),
 * each piece is a system call. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 20000, PIECE = 64, STEPS = 10 };

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_File file;
    MPI_Datatype pieces;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *data = malloc(PIECES * PIECE);
    memset(data, 'a' + rank, PIECES * PIECE);
    MPI_Type_vector(PIECES, PIECE, PIECE * ranks, MPI_BYTE, &pieces);
    MPI_Type_commit(&pieces);
    MPI_File_open(MPI_COMM_WORLD, argc > 1 ? argv[1] : "interleaved.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int step = 0; step < STEPS; step++) {
        MPI_Offset begin = (MPI_Offset)step * PIECES * PIECE * ranks + (MPI_Offset)rank * PIECE;
        MPI_File_set_view(file, begin, MPI_BYTE, pieces, "native", MPI_INFO_NULL);
        MPI_File_write_all(file, data, PIECES * PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Type_free(&pieces);
    free(data);
    MPI_Finalize();
    return 0;
}
