/* Writes one dataset, without the time at which it does: two runs make the same file. */
#include <hdf5.h>
#include <stdio.h>

enum { COUNT = 1000 };

int main(void)
{
    static int values[COUNT];
    hsize_t count = COUNT;
    hid_t file = H5Fcreate("out.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t no_times = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(no_times, false);
    hid_t set =
        H5Dcreate2(file, "values", H5T_NATIVE_INT, space, H5P_DEFAULT, no_times, H5P_DEFAULT);
    herr_t written = H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    H5Pclose(no_times);
    H5Sclose(space);
    H5Fclose(file);
    printf("%d\n", written);
    return 0;
}
