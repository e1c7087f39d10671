/* Handles of libraries that are none. MPI is to return its errors. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_File file, copy;
    int value = 7, failed = 0;
    MPI_Init(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_File_open(MPI_COMM_SELF, "mistakes.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    copy = file;
    MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    file = MPI_FILE_NULL;
    failed += MPI_File_close(&file) != MPI_SUCCESS;
    (void)copy;

    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t opened = H5Fcreate("mistakes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(opened);
    failed += H5Fclose(opened) < 0; /* twice */
    failed += H5Dopen2(opened, "nothing", H5P_DEFAULT) < 0;
    failed += H5Dwrite((hid_t)123456789, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0;
    printf("%d mistakes\n", failed);
    MPI_Finalize();
    return 0;
}
