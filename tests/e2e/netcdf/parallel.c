/* Every rank writes its rows of a variable, collectively, in the format given ("netcdf4" or
 * "cdf5"), and reads those of the next rank. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8, COLUMNS = 512 };

static void check(int result, const char *what)
{
    if (result == NC_NOERR)
        return;
    printf("%s: %s\n", what, nc_strerror(result));
    MPI_Abort(MPI_COMM_WORLD, 1);
}
#define CHECK(call) check(call, #call)

int main(int argc, char **argv)
{
    static int values[ROWS][COLUMNS];
    int rank, size, file, dims[2], variable, wrong = 0, all_wrong;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    int mode = strcmp(argv[2], "cdf5") == 0 ? NC_64BIT_DATA : NC_NETCDF4;
    CHECK(nc_create_par(argv[1], mode | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    CHECK(nc_def_dim(file, "row", (size_t)size * ROWS, &dims[0]));
    CHECK(nc_def_dim(file, "column", COLUMNS, &dims[1]));
    CHECK(nc_def_var(file, "values", NC_INT, 2, dims, &variable));
    CHECK(nc_enddef(file));
    CHECK(nc_var_par_access(file, variable, NC_COLLECTIVE));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        values[i / COLUMNS][i % COLUMNS] = rank * 1000000 + i;
    size_t start[2] = {(size_t)rank * ROWS, 0}, count[2] = {ROWS, COLUMNS};
    CHECK(nc_put_vara_int(file, variable, start, count, &values[0][0]));
    CHECK(nc_close(file));

    CHECK(nc_open_par(argv[1], NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    int next = (rank + 1) % size;
    start[0] = (size_t)next * ROWS;
    CHECK(nc_get_vara_int(file, variable, start, count, &values[0][0]));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        wrong += values[i / COLUMNS][i % COLUMNS] != next * 1000000 + i;
    CHECK(nc_close(file));
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all_wrong);
    MPI_Finalize();
    return 0;
}
