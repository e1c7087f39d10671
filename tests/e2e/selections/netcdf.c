/* One call of each form, on a variable of 6 x 8, a single number, and one that grows. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

static int buffer[100];

static void must(int status)
{
    if (status == NC_NOERR)
        return;
    fprintf(stderr, "%s\n", nc_strerror(status));
    exit(2);
}

int main(void)
{
    int file, dims[3], grid, single, series;
    size_t start[2] = {1, 2}, count[2] = {3, 4};
    ptrdiff_t stride[2] = {2, 1}, map[2] = {1, 3};
    must(nc_create("out.nc", NC_NETCDF4, &file));
    must(nc_def_dim(file, "y", 6, &dims[0]));
    must(nc_def_dim(file, "x", 8, &dims[1]));
    must(nc_def_dim(file, "t", NC_UNLIMITED, &dims[2]));
    must(nc_def_var(file, "grid", NC_INT, 2, dims, &grid));
    must(nc_def_var(file, "single", NC_INT, 0, NULL, &single));
    must(nc_def_var(file, "series", NC_INT, 1, dims + 2, &series));
    must(nc_enddef(file));
    must(nc_put_var1_int(file, grid, start, buffer));
    must(nc_put_vara_int(file, grid, start, count, buffer));
    count[0] = 2;
    must(nc_put_vars_int(file, grid, start, count, stride, buffer));
    must(nc_put_varm_int(file, grid, start, count, stride, map, buffer));
    must(nc_put_var_int(file, grid, buffer));
    must(nc_put_var1_int(file, single, start, buffer));
    start[0] = 5, count[0] = 2;
    must(nc_put_vara_int(file, series, start, count, buffer));
    count[0] = 0;
    must(nc_get_vara_int(file, series, start, count, buffer));
    must(nc_close(file));
    return 0;
}
