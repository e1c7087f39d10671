/* Variables of NetCDF or PnetCDF (-DPNETCDF) with names and types, some of which are those of the
 * file only; and a file whose variable was not defined in this run, as a second program made it. */
#include <mpi.h>
#ifdef PNETCDF
#include <pnetcdf.h>
#define CALL(name) ncmpi_##name
#define ALL(name) ncmpi_##name##_all
#define CREATE(path, id) \
    ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, id)
#define OPEN(path, id) ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, id)
typedef MPI_Offset place;
#else
#include <netcdf.h>
#include <netcdf_par.h>
#define CALL(name) nc_##name
#define ALL(name) nc_##name
#define CREATE(path, id) \
    nc_create_par(path, NC_CLOBBER | NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, id)
#define OPEN(path, id) nc_open_par(path, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, id)
typedef size_t place;
#endif
#include <stdio.h>
#include <unistd.h>

static void must(int code)
{
    if (code)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int rank, file, x, shorts, field, count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    place start[] = {(place)rank * 3}, counts[] = {3};
    const short some[3] = {1, 2, 3};
    const float floats[3] = {1, 2, 3};
    const unsigned numbers[3] = {1, 2, 3};
    int read[3];
    must(CREATE("written.nc", &file));
    must(CALL(def_dim)(file, "x", 12, &x));
    must(CALL(def_var)(file, "rank", NC_SHORT, 1, &x, &shorts));
    must(CALL(def_var)(file, "field", NC_DOUBLE, 1, &x, &field));
    must(CALL(def_var)(file, "count", NC_UINT, 1, &x, &count));
#ifndef PNETCDF
    int group, inner;
    must(nc_def_grp(file, "g", &group));
    must(nc_def_var(group, "field", NC_INT, 1, &x, &inner));
#endif
    must(CALL(enddef)(file));
    must(ALL(put_vara_short)(file, shorts, start, counts, some));
    must(ALL(put_vara_float)(file, field, start, counts, floats));
    must(ALL(put_vara_uint)(file, count, start, counts, numbers));
#ifndef PNETCDF
    must(nc_put_vara_int(group, inner, start, counts, (const int[]){4, 5, 6}));
#endif
    must(CALL(close)(file));
    MPI_Barrier(MPI_COMM_WORLD);
    if (!rank)
        must(link("written.nc", "read.nc"));
    MPI_Barrier(MPI_COMM_WORLD);
    must(OPEN("read.nc", &file));
    must(CALL(inq_varid)(file, "rank", &shorts));
    must(ALL(get_vara_int)(file, shorts, start, counts, read));
    must(CALL(close)(file));
    MPI_Finalize();
    return 0;
}
