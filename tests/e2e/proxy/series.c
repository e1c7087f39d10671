/* series STEPS: a time series in a file of NetCDF, one record of two variables each step. */
#include <netcdf.h>
#include <stdlib.h>

enum { ROWS = 10, COLUMNS = 20 };

static void check(int status)
{
    if (status)
        exit(1);
}

int main(int count, char **arguments)
{
    int steps = count > 1 ? atoi(arguments[1]) : 10;
    int file, time, row, column, height, speed;
    float cells[ROWS * COLUMNS] = {0};
    check(nc_create("series.nc", NC_CLOBBER, &file));
    check(nc_def_dim(file, "time", NC_UNLIMITED, &time));
    check(nc_def_dim(file, "row", ROWS, &row));
    check(nc_def_dim(file, "column", COLUMNS, &column));
    check(nc_def_var(file, "height", NC_FLOAT, 3, (int[]){time, row, column}, &height));
    check(nc_def_var(file, "speed", NC_FLOAT, 3, (int[]){time, row, column}, &speed));
    check(nc_put_att_text(file, height, "units", 1, "m"));
    check(nc_enddef(file));
    for (size_t step = 0; step < (size_t)steps; step++) {
        size_t start[] = {step, 0, 0}, counts[] = {1, ROWS, COLUMNS};
        check(nc_put_vara_float(file, height, start, counts, cells));
        check(nc_put_vara_float(file, speed, start, counts, cells));
        if (step % 4 == 3)
            check(nc_sync(file));
    }
    check(nc_close(file));
    return 0;
}
