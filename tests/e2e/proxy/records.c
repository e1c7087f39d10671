/* records STEPS: ranks write records of a variable together, through PnetCDF: each step one with a
 * nonblocking call. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdlib.h>

enum { CELLS = 100 };

static void check(int status)
{
    if (status)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int count, char **arguments)
{
    int steps = count > 1 ? atoi(arguments[1]) : 10, rank, ranks, file, dimensions[2], variable;
    double cells[CELLS] = {0};
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check(ncmpi_create(MPI_COMM_WORLD, "records.nc", NC_CLOBBER, MPI_INFO_NULL, &file));
    check(ncmpi_def_dim(file, "step", NC_UNLIMITED, &dimensions[0]));
    check(ncmpi_def_dim(file, "cell", (MPI_Offset)CELLS * ranks, &dimensions[1]));
    check(ncmpi_def_var(file, "heat", NC_DOUBLE, 2, dimensions, &variable));
    check(ncmpi_enddef(file));
    for (int step = 0; step < steps; step++) {
        MPI_Offset start[] = {step, (MPI_Offset)CELLS * rank}, counts[] = {1, CELLS};
        int request, status;
        check(ncmpi_iput_vara_double(file, variable, start, counts, cells, &request));
        check(ncmpi_wait_all(file, 1, &request, &status));
    }
    check(ncmpi_close(file));
    MPI_Finalize();
    return 0;
}
