/* The identifiers that HDF5 makes itself: datatypes, classes of property lists, and default lists. It keeps each in a variable, which its macros
 * read: H5T_NATIVE_INT is H5T_NATIVE_INT_g, H5P_DATASET_XFER is H5P_CLS_DATASET_XFER_ID_g. */
#include "capture/hdf5/library.h"

#include <dlfcn.h>
#include <stdio.h>

/* clang-format off */
static const char *const types[] = { /* H5T_..._g */
    "COMPLEX_IEEE_F16BE", "COMPLEX_IEEE_F16LE", "COMPLEX_IEEE_F32BE", "COMPLEX_IEEE_F32LE",
    "COMPLEX_IEEE_F64BE", "COMPLEX_IEEE_F64LE", "C_S1", "FLOAT_BFLOAT16BE", "FLOAT_BFLOAT16LE",
    "FLOAT_F4E2M1", "FLOAT_F6E2M3", "FLOAT_F6E3M2", "FLOAT_F8E4M3", "FLOAT_F8E5M2", "FORTRAN_S1",
    "IEEE_F16BE", "IEEE_F16LE", "IEEE_F32BE", "IEEE_F32LE", "IEEE_F64BE", "IEEE_F64LE",
    "NATIVE_B16", "NATIVE_B32", "NATIVE_B64", "NATIVE_B8", "NATIVE_DOUBLE_COMPLEX", "NATIVE_DOUBLE",
    "NATIVE_FLOAT16", "NATIVE_FLOAT_COMPLEX", "NATIVE_FLOAT", "NATIVE_HADDR", "NATIVE_HBOOL",
    "NATIVE_HERR", "NATIVE_HSIZE", "NATIVE_HSSIZE", "NATIVE_INT16", "NATIVE_INT32", "NATIVE_INT64",
    "NATIVE_INT8", "NATIVE_INT_FAST16", "NATIVE_INT_FAST32", "NATIVE_INT_FAST64",
    "NATIVE_INT_FAST8", "NATIVE_INT_LEAST16", "NATIVE_INT_LEAST32", "NATIVE_INT_LEAST64",
    "NATIVE_INT_LEAST8", "NATIVE_INT", "NATIVE_LDOUBLE_COMPLEX", "NATIVE_LDOUBLE", "NATIVE_LLONG",
    "NATIVE_LONG", "NATIVE_OPAQUE", "NATIVE_SCHAR", "NATIVE_SHORT", "NATIVE_UCHAR", "NATIVE_UINT16",
    "NATIVE_UINT32", "NATIVE_UINT64", "NATIVE_UINT8", "NATIVE_UINT_FAST16", "NATIVE_UINT_FAST32",
    "NATIVE_UINT_FAST64", "NATIVE_UINT_FAST8", "NATIVE_UINT_LEAST16", "NATIVE_UINT_LEAST32",
    "NATIVE_UINT_LEAST64", "NATIVE_UINT_LEAST8", "NATIVE_UINT", "NATIVE_ULLONG", "NATIVE_ULONG",
    "NATIVE_USHORT", "STD_B16BE", "STD_B16LE", "STD_B32BE", "STD_B32LE", "STD_B64BE", "STD_B64LE",
    "STD_B8BE", "STD_B8LE", "STD_I16BE", "STD_I16LE", "STD_I32BE", "STD_I32LE", "STD_I64BE",
    "STD_I64LE", "STD_I8BE", "STD_I8LE", "STD_REF_DSETREG", "STD_REF_OBJ", "STD_REF", "STD_U16BE",
    "STD_U16LE", "STD_U32BE", "STD_U32LE", "STD_U64BE", "STD_U64LE", "STD_U8BE", "STD_U8LE",
    "UNIX_D32BE", "UNIX_D32LE", "UNIX_D64BE", "UNIX_D64LE", "VAX_F32", "VAX_F64"
};
static const char *const lists[] = { /* H5P_..._ID_g */
    "CLS_ATTRIBUTE_ACCESS", "CLS_ATTRIBUTE_CREATE", "CLS_DATASET_ACCESS", "CLS_DATASET_CREATE",
    "CLS_DATASET_XFER", "CLS_DATATYPE_ACCESS", "CLS_DATATYPE_CREATE", "CLS_FILE_ACCESS",
    "CLS_FILE_CREATE", "CLS_FILE_MOUNT", "CLS_GROUP_ACCESS", "CLS_GROUP_CREATE", "CLS_LINK_ACCESS",
    "CLS_LINK_CREATE", "CLS_MAP_ACCESS", "CLS_MAP_CREATE", "CLS_OBJECT_COPY", "CLS_OBJECT_CREATE",
    "CLS_REFERENCE_ACCESS", "CLS_ROOT", "CLS_STRING_CREATE", "CLS_VOL_INITIALIZE",
    "LST_ATTRIBUTE_ACCESS", "LST_ATTRIBUTE_CREATE", "LST_DATASET_ACCESS", "LST_DATASET_CREATE",
    "LST_DATASET_XFER", "LST_DATATYPE_ACCESS", "LST_DATATYPE_CREATE", "LST_FILE_ACCESS",
    "LST_FILE_CREATE", "LST_FILE_MOUNT", "LST_GROUP_ACCESS", "LST_GROUP_CREATE", "LST_LINK_ACCESS",
    "LST_LINK_CREATE", "LST_MAP_ACCESS", "LST_MAP_CREATE", "LST_OBJECT_COPY",
    "LST_REFERENCE_ACCESS", "LST_VOL_INITIALIZE"
};
/* clang-format on */

enum {
    TYPES = sizeof types / sizeof *types,
    LISTS = sizeof lists / sizeof *lists,
    LONGEST_NAME = 64
};

static const hid_t *variables[TYPES + LISTS]; /* NULL: this version has it not */

/* A program that was not compiled for a shared library has its own copy of the variable (a copy relocation), which is the one that counts. */
static const hid_t *find(void *library, const char *name)
{
    const void *own = dlsym(library, name), *global = own ? dlsym(RTLD_DEFAULT, name) : NULL;
    return global ? global : own;
}

void fth_hdf5_find_predefined(void *library)
{
    char name[LONGEST_NAME];
    for (unsigned i = 0; i < TYPES; i++) {
        snprintf(name, sizeof name, "H5T_%s_g", types[i]);
        variables[i] = find(library, name);
    }
    for (unsigned i = 0; i < LISTS; i++) {
        snprintf(name, sizeof name, "H5P_%s_ID_g", lists[i]);
        variables[TYPES + i] = find(library, name);
    }
}

/* The variables are filled when the library comes up, so they are looked at when an identifier is met. */
bool fth_hdf5_predefined(uint64_t id, char *name, size_t size)
{
    unsigned i = 0;
    while (i < TYPES + LISTS && !(variables[i] && (uint64_t)*variables[i] == id))
        i++;
    if (i == TYPES + LISTS || (hid_t)id <= 0)
        return false;
    if (i < TYPES)
        snprintf(name, size, "H5T_%s", types[i]);
    else
        snprintf(name, size, "H5P_%s%s", lists[i - TYPES] + 4 /* without CLS_, LST_ */,
                 *lists[i - TYPES] == 'L' ? "_DEFAULT" : "");
    return true;
}
