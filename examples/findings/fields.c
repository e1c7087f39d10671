/* Fields of a simulation on a grid that is cut into blocks (S3D): each rank has a
 * part of each row of a field.
 *
 *     fields bad      writes its parts of rows one by one
 *     fields mended   describes its block of the field (a subarray) and writes it collectively
 */
#include <mpi.h>
#include <string.h>

enum { FIELDS = 4, EDGE = 16 /* of a rank's block */ };

static double block[EDGE][EDGE][EDGE];

static void write_rows(MPI_File file, MPI_Offset field, const int *at, const int *edge)
{
    for (int z = 0; z < EDGE; z++)
        for (int y = 0; y < EDGE; y++) {
            MPI_Offset row = ((MPI_Offset)(at[0] + z) * edge[1] + at[1] + y) * edge[2] + at[2];
            MPI_File_write_at(file, field + row * (MPI_Offset)sizeof(double), block[z][y], EDGE, MPI_DOUBLE, MPI_STATUS_IGNORE);
        }
}

static void write_block(MPI_File file, MPI_Offset field, const int *at, const int *edge)
{
    static const int part[] = {EDGE, EDGE, EDGE};
    MPI_Datatype mine;
    MPI_Type_create_subarray(3, edge, part, at, MPI_ORDER_C, MPI_DOUBLE, &mine);
    MPI_Type_commit(&mine);
    MPI_File_set_view(file, field, MPI_DOUBLE, mine, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, block, EDGE * EDGE * EDGE, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Type_free(&mine);
}

int main(int argc, char **argv)
{
    int rank, ranks, dims[3] = {0, 0, 0}, at[3], edge[3];
    MPI_Comm grid;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    dims[0] = 1; /* rows are shared */
    MPI_Dims_create(ranks, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, (int[]){0, 0, 0}, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 3, at);
    MPI_Offset size = sizeof(double);
    for (int i = 0; i < 3; i++) {
        at[i] *= EDGE;
        edge[i] = dims[i] * EDGE;
        size *= edge[i];
    }
    MPI_File_open(grid, "fields.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    int mended = argc > 1 && strcmp(argv[1], "mended") == 0;
    for (int field = 0; field < FIELDS; field++)
        (mended ? write_block : write_rows)(file, field * size, at, edge);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
