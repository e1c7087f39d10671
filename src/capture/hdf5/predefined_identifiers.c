/* The identifiers that HDF5 makes itself: datatypes, classes of property lists, and default lists.
 * It keeps each in a variable, which its macros read: H5T_NATIVE_INT is H5T_NATIVE_INT_g,
 * H5P_DATASET_XFER is H5P_CLS_DATASET_XFER_ID_g. */
#include "capture/hdf5/predefined_identifiers.h"

#include "capture/hdf5/hdf5_library.h"
#include "interpose/reach/static.h"

#include <dlfcn.h>
#include <stdio.h>

#define NAME(name) #name,
static const char *const types[] = {FTH_HDF5_TYPES(NAME)};
static const char *const lists[] = {FTH_HDF5_LISTS(NAME)};

enum {
    TYPES = sizeof types / sizeof *types,
    LISTS = sizeof lists / sizeof *lists,
    LONGEST_NAME = 64
};

static const hid_t *variables[TYPES + LISTS]; /* NULL: this version has it not */

/* A program that was not compiled for a shared library has its own copy of the variable (a copy
 * relocation), which is the one that counts. */
static const hid_t *find(void *library, const char *name)
{
    const void *own = fth_library_symbol(library, name),
               *global = own ? dlsym(RTLD_DEFAULT, name) : NULL;
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

/* The variables are filled when the library comes up, so they are looked at when an identifier is
 * met. */
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
