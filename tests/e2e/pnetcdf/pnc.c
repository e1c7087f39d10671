/* Every rank writes a variable at once, its rows of another one with requests, and two blocks of a
 * third; and reads all of it. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

enum { COLUMNS = 256, ROWS = 3 };

static void check(int result, const char *what)
{
    if (result == NC_NOERR)
        return;
    printf("%s: %s\n", what, ncmpi_strerror(result));
    MPI_Abort(MPI_COMM_WORLD, 1);
}
#define CHECK(call) check(call, #call)

static int rank, size, whole, rows, blocks;

static void define(int file)
{
    int dims[2];
    CHECK(ncmpi_def_dim(file, "row", size * ROWS, &dims[0]));
    CHECK(ncmpi_def_dim(file, "column", COLUMNS, &dims[1]));
    CHECK(ncmpi_def_var(file, "whole", NC_DOUBLE, 2, dims, &whole));
    CHECK(ncmpi_def_var(file, "rows", NC_INT, 2, dims, &rows));
    CHECK(ncmpi_def_var(file, "blocks", NC_SHORT, 2, dims, &blocks));
    CHECK(ncmpi_put_att_text(file, NC_GLOBAL, "title", 4, "test"));
    CHECK(ncmpi_enddef(file));
}

static void write_rows(int file)
{
    static int values[ROWS][COLUMNS], more[COLUMNS];
    int requests[ROWS], statuses[ROWS], one;
    for (int i = 0; i < ROWS; i++) {
        MPI_Offset start[2] = {rank * ROWS + i, 0}, count[2] = {1, COLUMNS};
        for (int j = 0; j < COLUMNS; j++)
            values[i][j] = rank * 100000 + i * 1000 + j;
        CHECK(ncmpi_iput_vara_int(file, rows, start, count, values[i], &requests[i]));
    }
    CHECK(ncmpi_wait_all(file, ROWS, requests, statuses));
    for (int i = 0; i < ROWS; i++)
        check(requests[i] == NC_REQ_NULL ? statuses[i] : NC_EINVAL_REQUEST, "requests");

    /* The last row again; this request is given up, the next one waited for with all others. */
    MPI_Offset start[2] = {rank * ROWS + ROWS - 1, 0}, count[2] = {1, COLUMNS};
    CHECK(ncmpi_iput_vara_int(file, rows, start, count, more, &one));
    CHECK(ncmpi_cancel(file, 1, &one, NULL));
    CHECK(ncmpi_iput_vara_int(file, rows, start, count, values[ROWS - 1], NULL));
    CHECK(ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL));
}

static void write_others(int file)
{
    static double heights[ROWS * COLUMNS];
    static short depths[2 * 10];
    MPI_Offset start[2] = {rank * ROWS, 0}, count[2] = {ROWS, COLUMNS};
    MPI_Offset first[2] = {rank * ROWS, 10}, second[2] = {rank * ROWS + 1, 20}, ten[2] = {1, 10};
    MPI_Offset *starts[2] = {first, second}, *counts[2] = {ten, ten};
    for (int i = 0; i < ROWS * COLUMNS; i++)
        heights[i] = rank + i * 0.5;
    CHECK(ncmpi_put_vara_double_all(file, whole, start, count, heights));
    CHECK(ncmpi_put_vara_all(file, whole, start, count, heights, ROWS * COLUMNS, MPI_DOUBLE));
    for (int i = 0; i < 20; i++)
        depths[i] = (short)(rank * 100 + i);
    CHECK(ncmpi_put_varn_short_all(file, blocks, 2, starts, counts, depths));
}

static double sum(int file)
{
    static double heights[ROWS * COLUMNS];
    static int values[ROWS * COLUMNS];
    double total = 0;
    int request;
    MPI_Offset start[2] = {rank * ROWS, 0}, count[2] = {ROWS, COLUMNS};
    CHECK(ncmpi_iget_vara_int(file, rows, start, count, values, &request));
    CHECK(ncmpi_wait_all(file, 1, &request, NULL));
    CHECK(ncmpi_begin_indep_data(file));
    CHECK(ncmpi_get_vara_double(file, whole, start, count, heights));
    CHECK(ncmpi_end_indep_data(file));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        total += heights[i] + values[i];
    return total;
}

int main(int argc, char **argv)
{
    int file;
    double mine, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(ncmpi_create(MPI_COMM_WORLD, "data.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
    define(file);
    write_others(file);
    write_rows(file);
    CHECK(ncmpi_close(file));
    CHECK(ncmpi_open(MPI_COMM_WORLD, "data.nc", NC_NOWRITE, MPI_INFO_NULL, &file));
    mine = sum(file);
    CHECK(ncmpi_close(file));
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.1f; %s\n", all, ncmpi_strerror(ncmpi_close(file)));
    MPI_Finalize();
    return 0;
}
