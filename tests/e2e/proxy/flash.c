/* flash FILES: ranks write checkpoints of several unknowns of their blocks to one file of HDF5 each
 * time, collectively; as FLASH's benchmark does. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 4, CELLS = 8, UNKNOWNS = 6 };

static void write_unknown(hid_t file, const char *name, int rank, int ranks, const double *cells)
{
    hsize_t all[4] = {(hsize_t)(BLOCKS * ranks), CELLS, CELLS, CELLS},
            own[4] = {BLOCKS, CELLS, CELLS, CELLS};
    hsize_t start[4] = {(hsize_t)(BLOCKS * rank), 0, 0, 0};
    hid_t space = H5Screate_simple(4, all, NULL), memory = H5Screate_simple(4, own, NULL);
    hid_t set =
        H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, own, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, transfer, cells);
    H5Pclose(transfer);
    H5Dclose(set);
    H5Sclose(memory);
    H5Sclose(space);
}

int main(int count, char **arguments)
{
    int files = count > 1 ? atoi(arguments[1]) : 3, rank, ranks;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *cells = calloc(BLOCKS * CELLS * CELLS * CELLS, sizeof *cells);
    for (int i = 0; i < files; i++) {
        char name[64];
        snprintf(name, sizeof name, "flash_hdf5_chk_%04d", i);
        hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
        hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
        for (int unknown = 0; unknown < UNKNOWNS; unknown++) {
            snprintf(name, sizeof name, "unknown %02d", unknown);
            write_unknown(file, name, rank, ranks, cells);
        }
        hsize_t one = 1;
        hid_t space = H5Screate_simple(1, &one, NULL);
        hid_t time = H5Acreate2(file, "time", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(time, H5T_NATIVE_DOUBLE, cells);
        H5Aclose(time);
        H5Sclose(space);
        H5Fclose(file);
    }
    free(cells);
    MPI_Finalize();
    return 0;
}
