/* Requests of PnetCDF: waited for by number, all at once, those that write or read only, cancelled;
 * two files with equal numbers. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

static int buffer[100];

static void must(int status)
{
    if (status == NC_NOERR)
        return;
    fprintf(stderr, "%s\n", ncmpi_strerror(status));
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static int open_file(const char *name, int *variable)
{
    int file, dim;
    must(ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER, MPI_INFO_NULL, &file));
    must(ncmpi_def_dim(file, "x", 100, &dim));
    must(ncmpi_def_var(file, "v", NC_INT, 1, &dim, variable));
    must(ncmpi_enddef(file));
    return file;
}

static int put(int file, int variable, MPI_Offset count)
{
    int request;
    MPI_Offset start = 0;
    must(ncmpi_iput_vara_int(file, variable, &start, &count, buffer, &request));
    return request;
}

static int get(int file, int variable, MPI_Offset count)
{
    int request;
    MPI_Offset start = 0;
    must(ncmpi_iget_vara_int(file, variable, &start, &count, buffer, &request));
    return request;
}

int main(int argc, char **argv)
{
    int variable, status[2];
    MPI_Init(&argc, &argv);
    int one = open_file("one.nc", &variable), other = open_file("other.nc", &variable);
    int requests[2] = {put(one, variable, 1), put(one, variable, 2)};
    int same = put(other, variable, 3);
    must(ncmpi_wait_all(one, 2, requests, status));
    must(ncmpi_wait_all(other, 1, &same, status));
    put(one, variable, 4);
    get(one, variable, 5);
    put(other, variable, 6);
    must(ncmpi_wait_all(one, NC_REQ_ALL, NULL, NULL));
    put(one, variable, 7);
    get(one, variable, 8);
    must(ncmpi_wait_all(one, NC_GET_REQ_ALL, NULL, NULL));
    must(ncmpi_wait_all(one, NC_PUT_REQ_ALL, NULL, NULL));
    requests[0] = put(one, variable, 9);
    must(ncmpi_cancel(one, 1, requests, status));
    must(ncmpi_cancel(other, NC_REQ_ALL, NULL, NULL));
    must(ncmpi_close(one));
    must(ncmpi_close(other));
    MPI_Finalize();
    return 0;
}
