/* Ranks write the columns of a dataset in turns, so that collective transfers exchange data before
 * they write; then one rank writes all of it. */
#include <hdf5.h>
#include <mpi.h>

enum { ROWS = 128, COLUMNS = 1024, TIMES = 3 };

static double values[ROWS * COLUMNS];

static int write_part(hid_t dataset, hid_t transfer, hsize_t rank, hsize_t size)
{
    hsize_t count[2] = {ROWS, COLUMNS / size}, start[2] = {0, rank}, stride[2] = {1, size};
    hid_t all = H5Dget_space(dataset), mine = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(all, H5S_SELECT_SET, start, stride, count, NULL);
    int failed = H5Dwrite(dataset, H5T_NATIVE_DOUBLE, mine, all, transfer, values) < 0;
    H5Sclose(all);
    H5Sclose(mine);
    return failed;
}

int main(int argc, char **argv)
{
    int rank, size, failed = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_obj_track_times(creation, 0);
    hid_t file = H5Fcreate("out.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hsize_t dims[2] = {ROWS, COLUMNS};
    hid_t space = H5Screate_simple(2, dims, NULL);
    hid_t dataset =
        H5Dcreate2(file, "data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        values[i] = rank + i;
    for (int time = 0; time < TIMES; time++)
        failed |= write_part(dataset, transfer, (hsize_t)rank, (hsize_t)size);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_INDEPENDENT);
    if (rank == 0)
        failed |= H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, transfer, values) < 0;
    H5Pclose(transfer);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(creation);
    H5Pclose(access);
    H5Fclose(file);
    MPI_Finalize();
    return failed;
}
