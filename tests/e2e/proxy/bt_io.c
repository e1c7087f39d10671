/* bt_io STEPS: ranks write blocks of an array of 5 doubles for each of N * N * N cells, which MPI
 * puts in place by a view, and read the last one back; as BT-IO of the NAS Parallel Benchmarks
 * does. */
#include <mpi.h>
#include <stdlib.h>

enum { N = 12, PARTS = 5 };

int main(int count, char **arguments)
{
    int steps = count > 1 ? atoi(arguments[1]) : 10, rank, ranks;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Datatype cell, block, inner;
    MPI_Type_contiguous(PARTS, MPI_DOUBLE, &cell);
    MPI_Type_commit(&cell);
    int sizes[3] = {N, N, N * ranks}, own[3] = {N, N, N}, start[3] = {0, 0, N * rank};
    MPI_Type_create_subarray(3, sizes, own, start, MPI_ORDER_C, cell, &block);
    MPI_Type_commit(&block);
    int with_edges[3] = {N + 2, N + 2, N + 2}, edge[3] = {1, 1, 1};
    MPI_Type_create_subarray(3, with_edges, own, edge, MPI_ORDER_C, cell, &inner);
    MPI_Type_commit(&inner);
    double *cells = calloc((N + 2) * (N + 2) * (N + 2) * PARTS, sizeof *cells);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "btio.out", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, block, "native", MPI_INFO_NULL);
    for (int step = 0; step < steps; step++)
        MPI_File_write_at_all(file, (MPI_Offset)step * N * N * N * PARTS, cells, 1, inner,
                              MPI_STATUS_IGNORE);
    double largest, own_largest = 0;
    MPI_Allreduce(&own_largest, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_File_read_at_all(file, (MPI_Offset)(steps - 1) * N * N * N * PARTS, cells, 1, inner,
                         MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&inner);
    MPI_Type_free(&block);
    MPI_Type_free(&cell);
    free(cells);
    MPI_Finalize();
    return 0;
}
