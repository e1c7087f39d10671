/* A checkpoint of many variables in HDF5 (FLASH-IO): blocks of the mesh are distributed
 * over the ranks.
 *
 *     checkpoint bad      writes each block of each variable separately
 *     checkpoint mended   selects all blocks of the rank and writes them collectively
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { VARIABLES = 8, BLOCKS = 128 /* of a rank */, CELLS = 512 };

static double cells[BLOCKS][CELLS];

static void write_variable(hid_t file, int number, int rank, int ranks, int mended)
{
    char name[16];
    hsize_t size[] = {(hsize_t)BLOCKS * (hsize_t)ranks, CELLS}, one[] = {1, CELLS}, all[] = {BLOCKS, CELLS};
    hid_t space = H5Screate_simple(2, size, NULL), memory = H5Screate_simple(2, mended ? all : one, NULL);
    hid_t how = H5Pcreate(H5P_DATASET_XFER);
    snprintf(name, sizeof name, "variable%d", number);
    hid_t variable = H5Dcreate(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (mended) {
        hsize_t start[] = {(hsize_t)rank, 0}, stride[] = {(hsize_t)ranks, 1}, count[] = {BLOCKS, 1}, block[] = {1, CELLS};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);
        H5Pset_dxpl_mpio(how, H5FD_MPIO_COLLECTIVE);
        H5Dwrite(variable, H5T_NATIVE_DOUBLE, memory, space, how, cells);
    }
    for (int i = 0; !mended && i < BLOCKS; i++) {
        hsize_t start[] = {(hsize_t)(i * ranks + rank), 0};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL);
        H5Dwrite(variable, H5T_NATIVE_DOUBLE, memory, space, how, cells[i]);
    }
    H5Pclose(how);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(variable);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("checkpoint.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    for (int i = 0; i < VARIABLES; i++)
        write_variable(file, i, rank, ranks, argc > 1 && strcmp(argv[1], "mended") == 0);
    H5Fclose(file);
    H5Pclose(access);
    MPI_Finalize();
    return 0;
}
