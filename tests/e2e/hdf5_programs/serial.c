/* Datasets in a group, row by row, with an attribute; identifiers that are counted; the high-level
 * library; and mistakes, of which HDF5 tells on standard error. */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>

enum { STEPS = 3, ROWS = 40, COLUMNS = 10 };

static void write_rows(hid_t dataset, hid_t file_space)
{
    hsize_t width = COLUMNS;
    double row[COLUMNS];
    for (int i = 0; i < ROWS; i++) {
        hsize_t start[2] = {(hsize_t)i, 0}, count[2] = {1, COLUMNS};
        hid_t memory = H5Screate_simple(1, &width, NULL);
        for (int j = 0; j < COLUMNS; j++)
            row[j] = i * COLUMNS + j;
        H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL);
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, file_space, H5P_DEFAULT, row);
        H5Sclose(memory);
    }
}

static void write_attribute(hid_t group)
{
    int value = 42;
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(group, "answer", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT, &value);
    H5Aclose(attribute);
    H5Sclose(space);
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *count)
{
    (void)info;
    printf("%s\n", name);
    ++*(int *)count;
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    return H5Oclose(object);
}

int main(void)
{
    hsize_t dims[2] = {ROWS, COLUMNS};
    double all[ROWS][COLUMNS], sum = 0;
    int visited = 0;
    hid_t file = H5Fcreate("out.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t no_times = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL);
    H5Pset_obj_track_times(no_times, false);
    for (int step = 0; step < STEPS; step++) {
        char name[32];
        sprintf(name, "step%d", step);
        hid_t dataset =
            H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, no_times, H5P_DEFAULT);
        write_rows(dataset, space);
        H5Dclose(dataset);
    }
    write_attribute(group);
    H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit, &visited);

    H5Iinc_ref(group); /* so it is open until it was closed twice */
    H5Gclose(group);
    hid_t dataset = H5Dopen2(group, "step1", H5P_DEFAULT);
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum += all[i][j];
    printf("%d objects, %g, %d dimensions\n", visited, sum, H5LTfind_dataset(group, "step2"));
    H5Gclose(group);

    H5Sclose(space);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, dims, NULL, dims, NULL); /* of what is closed */
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, no_times, space, H5P_DEFAULT, all);
    printf("%d\n", H5Fopen("nothere.h5", H5F_ACC_RDONLY, H5P_DEFAULT) < 0);
    H5Dclose(dataset);
    H5Pclose(no_times);
    return H5Fclose(file) < 0;
}
