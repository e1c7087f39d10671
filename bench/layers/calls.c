/* Loops of cheap calls of HDF5, NetCDF and PnetCDF on files in memory, or that are not touched, so
 * that what the tracer adds is not lost in what the call costs: `calls LOOP TURNS` prints
 * nanoseconds of the processor per turn. Compiled with -DHDF5, -DNETCDF, -DPNETCDF or -DMPI by
 * bench/layers/cost.
 *
 * In the loops "objects" and "datatypes" no call is like the one before, as in the parallel tests
 * of HDF5: thousands of objects and datatypes come and go in an order without a rule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined HDF5
#include <hdf5.h>
#elif defined NETCDF
#include <netcdf.h>
#elif defined PNETCDF
#include <mpi.h>
#include <pnetcdf.h>
#else
#include <mpi.h>
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

#if defined HDF5 || defined MPI
static unsigned draw(unsigned below)
{
    static unsigned long state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 20) % below;
}
#endif

#if defined HDF5
enum { DATASETS = 4000, OPEN = 1000, LONGEST_NAME = 32 };

static hid_t file, dataset[OPEN];

static void name_dataset(char name[LONGEST_NAME], unsigned number)
{
    snprintf(name, LONGEST_NAME, "group%u/dataset%u", number % 16, number);
}

static void make_objects(hid_t space)
{
    char name[LONGEST_NAME];
    for (unsigned i = 0; i < 16; i++) {
        snprintf(name, sizeof name, "group%u", i);
        H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    for (unsigned i = 0; i < DATASETS; i++) {
        name_dataset(name, i);
        hid_t made =
            H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Aclose(H5Acreate2(made, "units", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
        if (i < OPEN)
            dataset[i] = made;
        else
            H5Dclose(made);
    }
}

/* Eight calls. */
static int turn_objects(void)
{
    int values[8] = {0};
    char name[LONGEST_NAME];
    hsize_t start = draw(4), count = 1 + draw(4);
    unsigned other = draw(OPEN), reopened = draw(OPEN);
    hid_t space = H5Dget_space(dataset[other]), type = H5Dget_type(dataset[draw(OPEN)]);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
    int result = H5Dwrite(dataset[other], H5T_NATIVE_INT, space, space, H5P_DEFAULT, values);
    name_dataset(name, draw(DATASETS));
    H5Dclose(dataset[reopened]);
    dataset[reopened] = H5Dopen2(file, name, H5P_DEFAULT);
    H5Sclose(space);
    H5Tclose(type);
    return result < 0 || dataset[reopened] < 0;
}

static void loop(const char *name)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, 0);
    file = H5Fcreate("none.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
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
    else if (strcmp(name, "objects") == 0) {
        make_objects(space);
        LOOP(turn_objects());
    } else
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
#elif defined PNETCDF
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
#else
enum { DATATYPES = 12000, MOST_BLOCKS = 6 };

static MPI_Datatype datatype[DATATYPES];

static MPI_Datatype make_datatype(void)
{
    static const MPI_Datatype old[] = {MPI_BYTE, MPI_INT, MPI_DOUBLE};
    int lengths[MOST_BLOCKS], blocks = 1 + (int)draw(MOST_BLOCKS);
    MPI_Aint displacements[MOST_BLOCKS];
    MPI_Datatype made;
    for (int i = 0; i < blocks; i++) {
        lengths[i] = 1 + (int)draw(4);
        displacements[i] = i * 64 + (int)draw(4) * 8;
    }
    if (draw(2))
        MPI_Type_contiguous(1 + (int)draw(1000), old[draw(3)], &made);
    else
        MPI_Type_create_hindexed(blocks, lengths, displacements, old[draw(3)], &made);
    return made;
}

/* Five calls. */
static int turn_datatypes(void)
{
    int bytes;
    unsigned renewed = draw(DATATYPES);
    MPI_Aint least, extent;
    MPI_Type_free(&datatype[renewed]);
    datatype[renewed] = make_datatype();
    int result = MPI_Type_commit(&datatype[renewed]);
    MPI_Type_size(datatype[draw(DATATYPES)], &bytes);
    MPI_Type_get_extent(datatype[draw(DATATYPES)], &least, &extent);
    return result;
}

static void loop(const char *name)
{
    MPI_Init(NULL, NULL);
    if (strcmp(name, "datatypes") != 0)
        exit(2);
    for (int i = 0; i < DATATYPES; i++)
        datatype[i] = make_datatype();
    LOOP(turn_datatypes());
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
