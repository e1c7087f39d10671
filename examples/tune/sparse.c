/* Each rank writes 64 bytes in every half MiB of the file, by itself. With data sieving turned on
 * (sparse.hints), half a MiB is read and written for each of these pieces, under a lock. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 400, PIECE = 64, APART = 512 << 10, STEPS = 8 };

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
    MPI_Type_vector(PIECES, PIECE, APART, MPI_BYTE, &pieces);
    MPI_Type_commit(&pieces);
    MPI_File_open(MPI_COMM_WORLD, argc > 1 ? argv[1] : "sparse.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int step = 0; step < STEPS; step++) {
        MPI_Offset begin = ((MPI_Offset)step * ranks + rank) * PIECE;
        MPI_File_set_view(file, begin, MPI_BYTE, pieces, "native", MPI_INFO_NULL);
        MPI_File_write(file, data, PIECES * PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Type_free(&pieces);
    free(data);
    MPI_Finalize();
    return 0;
}
