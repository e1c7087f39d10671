/* Loops of cheap calls of HDF5, NetCDF and PnetCDF on files in memory, or that are not touched, so
 * that what the tracer adds is not lost in what the call costs: `calls LOOP TURNS` prints
 * nanoseconds of the processor per turn. Compiled with -DHDF5, -DNETCDF or -DPNETCDF by
 * bench/layers/cost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined HDF5
#include <hdf5.h>
#elif defined NETCDF
#include <netcdf.h>
#else
#include <mpi.h>
#include <pnetcdf.h>
#endif

static long turns;
static long failures;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* TURN is one turn of the loop, an expression that is 0 when all went well; a hundredth of the
 * turns come before, untimed. */
#define LOOP(TURN)                                                                                 \
    do {                                                                                           \
        for (long i = 0; i < turns / 100; i++)                                                     \
            failures += (TURN) != 0;                                                               \
        double start = now();                                                                      \
        for (long i = 0; i < turns; i++)                                                           \
            failures += (TURN) != 0;                                                               \
        printf("%.2f\n", (now() - start) / (double)turns);                                         \
    } while (0)

#if defined HDF5
static void loop(const char *name)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, 0);
    hid_t file = H5Fcreate("none.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hsize_t length = 8;
    hid_t space = H5Screate_simple(1, &length, NULL);
    hid_t data =
        H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int values[8] = {0};
    if (strcmp(name, "H5Dwrite") == 0)
        LOOP(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    else if (strcmp(name, "H5Dread") == 0)
        LOOP(H5Dread(data, H5T_NATIVE_INT, space, space, H5P_DEFAULT, values));
    else if (strcmp(name, "H5Screate+H5Sclose") == 0)
        LOOP(H5Sclose(H5Screate(H5S_SCALAR)));
    else if (strcmp(name, "H5Sselect_hyperslab") == 0)
        LOOP(H5Sselect_hyperslab(space, H5S_SELECT_SET, &(hsize_t){1}, NULL, &(hsize_t){4}, NULL));
    else if (strcmp(name, "H5Aexists") == 0)
        LOOP(H5Aexists(data, "none"));
    else
        exit(2);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
    H5Pclose(access);
}
#elif defined NETCDF
static void loop(const char *name)
{
    int file, dimension, variable, value = 1;
    size_t index = 3, length;
    nc_create("none.nc", NC_DISKLESS, &file);
    nc_def_dim(file, "x", 8, &dimension);
    nc_def_var(file, "v", NC_INT, 1, &dimension, &variable);
    nc_enddef(file);
    if (strcmp(name, "nc_put_var1_int") == 0)
        LOOP(nc_put_var1_int(file, variable, &index, &value));
    else if (strcmp(name, "nc_inq_dimlen") == 0)
        LOOP(nc_inq_dimlen(file, dimension, &length));
    else if (strcmp(name, "nc_inq_varid") == 0)
        LOOP(nc_inq_varid(file, "v", &variable));
    else
        exit(2);
    nc_close(file);
}
#else
static void loop(const char *name)
{
    int file, dimension, variable, a, b, c, d;
    MPI_Init(NULL, NULL);
    ncmpi_create(MPI_COMM_WORLD, "none.nc", NC_CLOBBER, MPI_INFO_NULL, &file);
    ncmpi_def_dim(file, "x", 8, &dimension);
    ncmpi_def_var(file, "v", NC_INT, 1, &dimension, &variable);
    ncmpi_enddef(file);
    if (strcmp(name, "ncmpi_inq") == 0)
        LOOP(ncmpi_inq(file, &a, &b, &c, &d));
    else if (strcmp(name, "ncmpi_inq_varid") == 0)
        LOOP(ncmpi_inq_varid(file, "v", &variable));
    else
        exit(2);
    ncmpi_close(file);
    MPI_Finalize();
}
#endif

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    turns = atol(argv[2]);
    loop(argv[1]);
    if (failures)
        fprintf(stderr, "calls: %ld calls failed\n", failures);
    return failures != 0;
}
