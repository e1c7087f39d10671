/* The HDF5 library of this process, for our own questions. Nobody records these calls: they are
 * made between the begin of a recorded call and its real function. */
#ifndef FTH_CAPTURE_HDF5_HDF5_LIBRARY_H
#define FTH_CAPTURE_HDF5_HDF5_LIBRARY_H

#include "capture/wrap/wrap_hdf5.h"

#define FTH_HDF5_FUNCTIONS(FUNCTION)                                                               \
    FUNCTION(H5I_type_t, Iget_type, hid_t id)                                                      \
    FUNCTION(int, Sget_simple_extent_ndims, hid_t space)                                           \
    FUNCTION(hssize_t, Sget_select_npoints, hid_t space)                                           \
    FUNCTION(herr_t, Sclose, hid_t space)                                                          \
    FUNCTION(hid_t, Dget_space, hid_t dataset)                                                     \
    FUNCTION(haddr_t, Dget_offset, hid_t dataset)                                                  \
    FUNCTION(hid_t, Aget_space, hid_t attribute)                                                   \
    FUNCTION(size_t, Tget_size, hid_t type)

#define FTH_HDF5_DECLARE(type, name, ...) type (*name)(__VA_ARGS__);
struct fth_hdf5 {
    FTH_HDF5_FUNCTIONS(FTH_HDF5_DECLARE)
    ssize_t (*VLget_connector_name)(hid_t id, char *name, size_t size); /* NULL before 1.12 */
    H5I_type_t attribute;                                               /* H5I_ATTR */
};
extern struct fth_hdf5 fth_hdf5;

/* Finds the variables with the identifiers that the library makes itself; then says which of them
 * this one is ("H5T_NATIVE_INT"). */
void fth_hdf5_find_predefined(void *library);
bool fth_hdf5_predefined(uint64_t id, char *name, size_t size);

#endif
