/* views NAME: two ranks write to NAME through a view, 8 bytes of each 32, 100 times; rank 1 writes
 * behind rank 0. Then makes a structure of one type twice. */
#include <mpi.h>

int main(int count, char **arguments)
{
    int rank;
    char bytes[800] = "";
    MPI_Datatype blocks, tile;
    MPI_File file;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(8, MPI_BYTE, &blocks);
    MPI_Type_create_resized(blocks, 0, 32, &tile);
    MPI_Type_commit(&tile);
    MPI_File_open(MPI_COMM_WORLD, arguments[1], MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, 8 * rank, MPI_BYTE, tile, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, bytes, sizeof bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    int lengths[2] = {1, 2};
    MPI_Aint places[2] = {0, 64};
    MPI_Datatype parts[2] = {blocks, blocks}, pair;
    MPI_Type_create_struct(2, lengths, places, parts, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_free(&pair);
    MPI_File_close(&file);
    MPI_Type_free(&tile);
    MPI_Type_free(&blocks);
    MPI_Finalize();
    return 0;
}
