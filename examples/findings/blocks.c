/* Cells of a mesh that is distributed cyclically over the ranks (BT-IO): pieces of 640 bytes, those
 * of a rank between those of the others.
 *
 *     blocks bad      writes each piece separately (BT-IO simple)
 *     blocks mended   sets a file view of its pieces and writes them with a collective call
 *                     (BT-IO full)
 */
#include <mpi.h>
#include <string.h>

enum { PIECES = 1024, PIECE = 640 };

int main(int argc, char **argv)
{
    static char cells[PIECES * PIECE];
    int rank, ranks;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    memset(cells, 'a' + rank % 26, sizeof cells);
    MPI_File_open(MPI_COMM_WORLD, "blocks.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (argc > 1 && strcmp(argv[1], "mended") == 0) {
        MPI_Datatype pieces;
        MPI_Type_vector(PIECES, PIECE, PIECE * ranks, MPI_BYTE, &pieces);
        MPI_Type_commit(&pieces);
        MPI_File_set_view(file, (MPI_Offset)rank * PIECE, MPI_BYTE, pieces, "native", MPI_INFO_NULL);
        MPI_File_write_all(file, cells, PIECES * PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_Type_free(&pieces);
    } else {
        for (int i = 0; i < PIECES; i++)
            MPI_File_write_at(file, ((MPI_Offset)i * ranks + rank) * PIECE, cells + i * PIECE, PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
