/* How HDF5's wrappers come up. */
#include "calls.h"
#include "capture/follow/library_handles.h"
#include "capture/hdf5/hdf5_library.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/static.h"

#include <stdio.h>

enum {
    ATTRIBUTE = 6,
    ATTRIBUTE_BEHIND_MAP = 7
}; /* H5I_ATTR up to 1.10, and since there are maps */

struct fth_hdf5 fth_hdf5;

static bool find_functions(void *library)
{
    bool complete = true;
#define FIND(type, function, ...)                                                                  \
    fth_hdf5.function =                                                                            \
        (__typeof__(fth_hdf5.function))fth_library_symbol(library, "H5" #function);                \
    complete = complete && fth_hdf5.function;
    FTH_HDF5_FUNCTIONS(FIND)
    fth_hdf5.VLget_connector_name = (__typeof__(fth_hdf5.VLget_connector_name))fth_library_symbol(
        library, "H5VLget_connector_name");
    fth_hdf5.attribute =
        fth_library_symbol(library, "H5Mcreate") ? ATTRIBUTE_BEHIND_MAP : ATTRIBUTE;
    return complete;
}

FTH_PUBLIC fth_attach_function fth_attach;
bool fth_attach(void *library, const char *path)
{
    char why[512];
    if (!find_functions(library)) {
        snprintf(why, sizeof why, "hdf5 calls of %s: its HDF5 is incomplete", path);
        fth_process_note("unseen=", why);
        return false;
    }
    fth_hdf5_find_predefined(library);
    fth_predefined[FTH_CLASS_hid] = fth_hdf5_predefined;
    return fth_attach_wrappers(library);
}
