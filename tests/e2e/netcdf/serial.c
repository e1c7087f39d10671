/* Writes a file in the format given ("netcdf4" or "classic"), reads it back and prints what it
 * holds. With NetCDF-4 also a group. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4, POINTS = 6 };

static void check(int result, const char *what)
{
    if (result == NC_NOERR)
        return;
    printf("%s: %s\n", what, nc_strerror(result));
    exit(1);
}
#define CHECK(call) check(call, #call)

static void define(int file, int is_netcdf4)
{
    int dims[2], variable, group;
    CHECK(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
    CHECK(nc_def_dim(file, "point", POINTS, &dims[1]));
    CHECK(nc_def_var(file, "height", NC_DOUBLE, 2, dims, &variable));
    CHECK(nc_put_att_text(file, variable, "units", 5, "metre"));
    if (is_netcdf4) {
        CHECK(nc_def_grp(file, "below", &group));
        CHECK(nc_def_var(group, "depth", NC_SHORT, 1, &dims[1], &variable));
    }
    CHECK(nc_enddef(file));
}

static void write_values(int file, int is_netcdf4)
{
    int variable, group;
    double heights[POINTS];
    short depths[POINTS];
    size_t count[2] = {1, POINTS};
    CHECK(nc_inq_varid(file, "height", &variable));
    for (size_t step = 0; step < STEPS; step++) {
        size_t start[2] = {step, 0};
        for (int i = 0; i < POINTS; i++)
            heights[i] = (double)(step * 10) + i;
        CHECK(nc_put_vara_double(file, variable, start, count, heights));
    }
    if (!is_netcdf4)
        return;
    for (int i = 0; i < POINTS; i++)
        depths[i] = (short)(100 + i);
    CHECK(nc_inq_grp_ncid(file, "below", &group));
    CHECK(nc_inq_varid(group, "depth", &variable));
    CHECK(nc_put_var_short(group, variable, depths));
}

static void print_values(const char *path, int is_netcdf4)
{
    int file, variable, group, dims;
    size_t length;
    double height;
    short depth;
    char units[16] = "";
    CHECK(nc_open(path, NC_NOWRITE, &file));
    CHECK(nc_inq_varid(file, "height", &variable));
    CHECK(nc_inq_varndims(file, variable, &dims));
    CHECK(nc_inq_dimlen(file, 0, &length));
    CHECK(nc_get_att_text(file, variable, "units", units));
    printf("%d dimensions, %zu steps, %s:", dims, length, units);
    for (size_t step = 0; step < length; step++) {
        size_t at[2] = {step, step + 1};
        CHECK(nc_get_var1_double(file, variable, at, &height));
        printf(" %g", height);
    }
    printf("\n");
    if (is_netcdf4) {
        size_t start = 1, count = 2;
        ptrdiff_t stride = 3;
        short two[2];
        CHECK(nc_inq_ncid(file, "below", &group));
        CHECK(nc_inq_varid(group, "depth", &variable));
        CHECK(nc_get_vars_short(group, variable, &start, &count, &stride, two));
        printf("%d %d\n", two[0], two[1]);
        printf("%s\n", nc_strerror(nc_get_var1_short(group, variable + 1, &start, &depth)));
    }
    printf("%s\n", nc_strerror(nc_get_var1_double(file, 77, NULL, &height)));
    CHECK(nc_close(file));
    printf("%s\n", nc_strerror(nc_close(file)));
}

int main(int argc, char **argv)
{
    int file, is_netcdf4 = argc > 2 && strcmp(argv[2], "netcdf4") == 0;
    if (argc < 3)
        return 2;
    CHECK(nc_create(argv[1], is_netcdf4 ? NC_NETCDF4 | NC_CLOBBER : NC_CLOBBER, &file));
    define(file, is_netcdf4);
    write_values(file, is_netcdf4);
    CHECK(nc_close(file));
    print_values(argv[1], is_netcdf4);
    return 0;
}
