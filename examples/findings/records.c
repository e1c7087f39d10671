/* A NetCDF file to which records are added.
 *
 *     records bad      flushes the library's buffers after each record (nc_sync)
 *     records mended   leaves that to closing the file
 */
#include <netcdf.h>
#include <string.h>

enum { RECORDS = 300, POINTS = 512 };

int main(int argc, char **argv)
{
    static double points[POINTS];
    int bad = argc < 2 || strcmp(argv[1], "mended") != 0, file, variable, dimensions[2];
    size_t start[2] = {0, 0}, count[2] = {1, POINTS};
    if (nc_create("records.nc", NC_CLOBBER, &file) ||
        nc_def_dim(file, "record", NC_UNLIMITED, &dimensions[0]) ||
        nc_def_dim(file, "point", POINTS, &dimensions[1]) ||
        nc_def_var(file, "height", NC_DOUBLE, 2, dimensions, &variable) || nc_enddef(file))
        return 1;
    for (start[0] = 0; start[0] < RECORDS; start[0]++) {
        points[0] = (double)start[0];
        if (nc_put_vara_double(file, variable, start, count, points) || (bad && nc_sync(file)))
            return 1;
    }
    return nc_close(file) != NC_NOERR;
}
