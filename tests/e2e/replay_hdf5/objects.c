/* objects: one process makes a file of HDF5 with much of what there is, and reads it again. With an
 * argument it reads a file that is there. */
#include <hdf5.h>
#include <stdio.h>

enum { ROWS = 40, COLUMNS = 24 };
static double cells[ROWS][COLUMNS];

static hid_t make_enum(void)
{
    hid_t type = H5Tenum_create(H5T_NATIVE_INT);
    for (int i = 0; i < 40; i++) {
        char name[32];
        snprintf(name, sizeof name, "value%d", i);
        H5Tenum_insert(type, name, &i);
    }
    return type;
}

/* Chunks, filters, a fill value, a cache; parts with gaps, an extent that grows. */
static void write_chunks(hid_t group)
{
    hsize_t all[2] = {ROWS, COLUMNS}, most[2] = {H5S_UNLIMITED, COLUMNS}, chunk[2] = {8, 8};
    hsize_t start[2] = {1, 2}, stride[2] = {4, 3}, count[2] = {5, 4}, block[2] = {2, 2};
    double fill = 7;
    hid_t space = H5Screate_simple(2, all, most), create = H5Pcreate(H5P_DATASET_CREATE),
          access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk(create, 2, chunk);
    H5Pset_shuffle(create);
    H5Pset_fill_value(create, H5T_NATIVE_DOUBLE, &fill);
    H5Pset_chunk_cache(access, 101, 1 << 20, 0.5);
    hid_t set = H5Dcreate2(group, "chunks", H5T_IEEE_F64BE, space, H5P_DEFAULT, create, access);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);
    hsize_t selected = (hsize_t)H5Sget_select_npoints(space);
    hid_t memory = H5Screate_simple(1, &selected, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, cells);
    hsize_t larger[2] = {2 * ROWS, COLUMNS};
    H5Dset_extent(set, larger);
    hid_t grown = H5Dget_space(set);
    hsize_t points[6] = {60, 1, 70, 20, 79, 23};
    H5Sselect_elements(grown, H5S_SELECT_SET, 3, points);
    selected = 3;
    hid_t three = H5Screate_simple(1, &selected, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, three, grown, H5P_DEFAULT, cells);
    H5Sclose(three);
    H5Sclose(grown);
    H5Sclose(memory);
    H5Dclose(set);
    H5Pclose(access);
    H5Pclose(create);
    H5Sclose(space);
}

static void write_types(hid_t group)
{
    hsize_t length = ROWS;
    hid_t space = H5Screate_simple(1, &length, NULL), states = make_enum();
    hid_t pair = H5Tcreate(H5T_COMPOUND, 12);
    H5Tinsert(pair, "x", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(pair, "state", 8, states);
    hid_t set = H5Dcreate2(group, "pairs", pair, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, pair, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
    hid_t scalar = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 8);
    hid_t attribute = H5Acreate2(set, "unit", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, text, "km / h");
    H5Aclose(attribute);
    H5Tclose(text);
    H5Sclose(scalar);
    H5Dclose(set);
    H5Tclose(pair);
    H5Tclose(states);
    H5Sclose(space);
}

static herr_t look(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    H5O_info_t object;
    (void)info, (void)context;
    return H5Oget_info_by_name(group, name, &object, H5P_DEFAULT) < 0;
}

static void read_file(const char *path)
{
    char name[32];
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t group = H5Gopen2(file, "group", H5P_DEFAULT);
    H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look, NULL);
    H5Iget_name(group, name, sizeof name);
    H5Iget_name(group, NULL, 0);
    hid_t set = H5Dopen2(group, "pairs", H5P_DEFAULT), type = H5Dget_type(set);
    H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
    H5Iinc_ref(set);
    H5Dclose(set);
    H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
    H5Dclose(set);
    H5Tclose(type);
    H5Gclose(group);
    H5Fclose(file);
}

int main(int count, char **arguments)
{
    if (count > 1) {
        read_file(arguments[1]);
        return 0;
    }
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Fopen("no such file", H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_alignment(access, 1, 4096);
    hid_t file = H5Fcreate("objects.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    write_chunks(group);
    write_types(group);
    H5Gclose(group);
    H5Pclose(access);
    H5Fclose(file);
    rename("objects.h5", "made.h5");
    read_file("made.h5");
    return 0;
}
