/* Blocks, blocks with strides, lists of blocks, several variables, and the same without blocking.
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

static int buffer[200];

static void must(int status)
{
    if (status == NC_NOERR)
        return;
    fprintf(stderr, "%s\n", ncmpi_strerror(status));
    MPI_Abort(MPI_COMM_WORLD, 2);
}

int main(int argc, char **argv)
{
    int file, dims[2], grid, other, request, status, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    must(ncmpi_create(MPI_COMM_WORLD, "out.nc", NC_CLOBBER, MPI_INFO_NULL, &file));
    must(ncmpi_def_dim(file, "y", 6, &dims[0]));
    must(ncmpi_def_dim(file, "x", 8, &dims[1]));
    must(ncmpi_def_var(file, "grid", NC_INT, 2, dims, &grid));
    must(ncmpi_def_var(file, "other", NC_INT, 2, dims, &other));
    must(ncmpi_enddef(file));

    MPI_Offset start[2] = {3 * rank, 2}, count[2] = {3, 4}, stride[2] = {2, 3};
    must(ncmpi_put_vara_int_all(file, grid, start, count, buffer));
    count[0] = 2, count[1] = 2;
    must(ncmpi_put_vars_int_all(file, grid, start, count, stride, buffer));
    must(ncmpi_put_var1_int_all(file, grid, start, buffer));

    MPI_Offset second[2] = {3 * rank + 2, 0}, wide[2] = {1, 8};
    MPI_Offset *starts[] = {start, second}, *counts[] = {count, wide};
    int variables[] = {grid, other};
    int *buffers[] = {buffer, buffer + 100};
    must(ncmpi_put_varn_int_all(file, grid, 2, starts, counts, buffer));
    must(ncmpi_put_varn_int_all(file, grid, 2, starts, NULL, buffer));
    must(ncmpi_mput_vara_int_all(file, 2, variables, starts, counts, buffers));
    must(ncmpi_iput_varn_int(file, grid, 2, starts, counts, buffer, &request));
    must(ncmpi_wait_all(file, 1, &request, &status));
    must(ncmpi_get_var_int_all(file, grid, buffer));
    must(ncmpi_close(file));
    MPI_Finalize();
    return 0;
}
