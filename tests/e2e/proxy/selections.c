/* selections: HDF5 in one process; what calls access in memory is a whole dataset, a part of a
 * larger array, or pointers; and identifiers that are open more than once. */
#include <hdf5.h>
#include <stdlib.h>

enum { ROWS = 64, COLUMNS = 128 };

static void write_set(hid_t file, double *cells)
{
    hsize_t all[2] = {ROWS, COLUMNS}, half[2] = {ROWS / 2, COLUMNS}, start[2] = {0, 0};
    hid_t space = H5Screate_simple(2, all, NULL);
    hid_t set =
        H5Dcreate2(file, "set", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
    hid_t own = H5Dget_space(set), type = H5Dget_type(set);
    H5Sselect_hyperslab(own, H5S_SELECT_SET, start, NULL, half, NULL);
    hsize_t large[2] = {4 * ROWS, COLUMNS};
    hid_t memory = H5Screate_simple(2, large, NULL);
    start[0] = 3 * ROWS;
    H5Sselect_hyperslab(memory, H5S_SELECT_SET, start, NULL, half, NULL);
    H5Dwrite(set, type, memory, own, H5P_DEFAULT, cells);
    H5Sclose(memory);
    H5Tclose(type);
    H5Sclose(own);
    H5Sclose(space);
    H5Dclose(set);
}

static void write_text(hid_t file)
{
    const char *text = "text";
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t attribute = H5Acreate2(file, "text", type, space, H5P_DEFAULT, H5P_DEFAULT);
    hid_t own = H5Aget_type(attribute);
    H5Awrite(attribute, own, &text);
    H5Tclose(own);
    H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
}

static herr_t convert(hid_t from, hid_t to, H5T_cdata_t *data, size_t count, size_t stride,
                      size_t own_stride, void *values, void *background, hid_t list)
{
    (void)from, (void)to, (void)count, (void)stride, (void)own_stride;
    (void)values, (void)background, (void)list;
    data->need_bkg = H5T_BKG_NO;
    return 0;
}

/* By a function of the program, which the trace does not have. */
static void convert_own(void)
{
    long value = 1;
    hid_t opaque = H5Tcreate(H5T_OPAQUE, sizeof value);
    H5Tregister(H5T_PERS_HARD, "own", H5T_NATIVE_LONG, opaque, convert);
    H5Tconvert(H5T_NATIVE_LONG, opaque, 1, &value, NULL, H5P_DEFAULT);
    H5Tclose(opaque);
}

int main(void)
{
    double *cells = calloc(4 * ROWS * COLUMNS, sizeof *cells);
    hid_t file = H5Fcreate("set.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    write_set(file, cells);
    H5Idec_ref(H5Iget_file_id(file));
    H5Iinc_ref(file);
    H5Fclose(file);
    write_text(file);
    convert_own();
    H5Fclose(file);
    file = H5Fopen("set.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, "set", H5P_DEFAULT);
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
    H5Dclose(set);
    H5Fclose(file);
    free(cells);
    return 0;
}
