/* All ranks write their rows of a dataset, five times, with collective transfers. */
#include <hdf5.h>
#include <mpi.h>

enum { TIMES = 5, ROWS = 8, COLUMNS = 1000 };

static int values[ROWS * COLUMNS];

int main(int argc, char **argv)
{
    int rank, size, failed = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), no_times = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_obj_track_times(no_times, 0);
    hid_t file = H5Fcreate("out.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hsize_t dims[2] = {(hsize_t)size * ROWS, COLUMNS}, count[2] = {ROWS, COLUMNS},
            start[2] = {(hsize_t)rank * ROWS, 0};
    hid_t all = H5Screate_simple(2, dims, NULL), mine = H5Screate_simple(2, count, NULL);
    hid_t dataset =
        H5Dcreate2(file, "data", H5T_NATIVE_INT, all, H5P_DEFAULT, no_times, H5P_DEFAULT);
    H5Sselect_hyperslab(all, H5S_SELECT_SET, start, NULL, count, NULL);
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    for (int time = 0; time < TIMES; time++) {
        for (int i = 0; i < ROWS * COLUMNS; i++)
            values[i] = rank * 1000000 + time + i;
        failed |= H5Dwrite(dataset, H5T_NATIVE_INT, mine, all, transfer, values) < 0;
    }
    H5Pclose(transfer);
    H5Dclose(dataset);
    H5Sclose(all);
    H5Sclose(mine);
    H5Pclose(no_times);
    H5Pclose(access);
    H5Fclose(file);
    MPI_Finalize();
    return failed;
}
