/* A program for HDF5 1.8. */
#include <stdio.h>

typedef int hid_t;
hid_t H5Fcreate(const char *name, unsigned flags, hid_t creation, hid_t access);
int H5open(void), H5Fclose(hid_t id), H5get_libversion(unsigned *, unsigned *, unsigned *);
int H5LTmake_dataset(hid_t id, const char *name, int rank, const unsigned long long *dims,
                     hid_t type, const void *data);

int main(void)
{
    unsigned version[3];
    unsigned long long length = 3;
    int values[3] = {1, 2, 3};
    H5open();
    H5get_libversion(&version[0], &version[1], &version[2]);
    hid_t file = H5Fcreate("old.h5", 2, 0, 0);
    int made = H5LTmake_dataset(file, "values", 1, &length, 7, values);
    printf("%u.%u.%u %x %d %d\n", version[0], version[1], version[2], (unsigned)file, made,
           H5Fclose(file));
    return 0;
}
