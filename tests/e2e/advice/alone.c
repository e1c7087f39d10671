/* Two ranks write to a dataset of HDF5, each alone. */
#include <hdf5.h>
#include <mpi.h>
#include <stdlib.h>

enum { ROWS = 256, COLUMNS = 16, TIMES = 5 };

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    hsize_t all[] = {ROWS, (hsize_t)(COLUMNS * ranks)}, mine[] = {ROWS, COLUMNS},
            from[] = {0, (hsize_t)(COLUMNS * rank)};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("alone.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t space = H5Screate_simple(2, all, NULL), memory = H5Screate_simple(2, mine, NULL);
    hid_t data =
        H5Dcreate2(file, "data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, mine, NULL);
    void *values = calloc(ROWS * COLUMNS, sizeof(double));
    for (int i = 0; i < TIMES; i++)
        H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values);
    H5Dclose(data);
    H5Fclose(file);
    free(values);
    MPI_Finalize();
    return 0;
}
