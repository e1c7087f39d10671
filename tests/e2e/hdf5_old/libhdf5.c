/* What HDF5 1.8 is to a program: identifiers of 32 bits. The rest of the register that they come
 * back in is not theirs, and here it says so. */
#include <stdio.h>
#include <stdlib.h>

typedef int hid_t;

int H5open(void)
{
    return 0;
}

int H5get_libversion(unsigned *major, unsigned *minor, unsigned *release)
{
    *major = 1;
    *minor = 8;
    *release = 23;
    return 0;
}

static FILE *file;

/* An identifier below zero would be a failure: as 64 bits it looks like one, as 32 it is none. */
long H5Fcreate(const char *name, unsigned flags, hid_t creation, hid_t access)
{
    file = fopen(name, "w");
    return file && flags == 2 && !creation && !access ? (long)(0xfffffffful << 32 | 0x1000000) : -1;
}

int H5Fclose(hid_t id)
{
    return id == 0x1000000 && fputs("1.8\n", file) >= 0 && fclose(file) == 0 ? 0 : -1;
}

int H5LTmake_dataset(hid_t id, const char *name, int rank, const unsigned long long *dims,
                     hid_t type, const void *data)
{
    return id == 0x1000000 && name && rank == 1 && dims[0] == 3 && type == 7 && data ? 0 : -1;
}
