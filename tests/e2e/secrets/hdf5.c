/* The secret in attributes, comments, data and fill values of HDF5 and its high-level library. */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char secret[32] = "";
    FILE *from = fopen("secret", "re");
    if (!from || !fread(secret, 1, sizeof secret - 1, from))
        return 1;
    fclose(from);
    hsize_t length = strlen(secret);
    hid_t file = H5Fcreate("data.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &length, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_value(list, H5T_NATIVE_CHAR, secret);
    hid_t set = H5Dcreate2(file, "set", H5T_NATIVE_CHAR, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, secret);
    H5Oset_comment(set, secret);
    H5Oset_comment_by_name(file, "set", secret, H5P_DEFAULT);
    hid_t note = H5Acreate2(set, "note", H5T_NATIVE_CHAR, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(note, H5T_NATIVE_CHAR, secret);
    H5Aclose(note);
    H5LTset_attribute_string(file, "set", "text", secret);
    H5LTmake_dataset_string(file, "string", secret);
    H5DSset_label(set, 0, secret);
    size_t at = 0, size = 1;
    const char *field = "field";
    hid_t type = H5T_NATIVE_CHAR;
    H5TBmake_table(secret, file, "table", 1, length, 1, &field, &at, &type, 1, NULL, 0, secret);
    (void)size;
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    return H5Fclose(file) < 0;
}
