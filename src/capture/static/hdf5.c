/* What the wrappers of HDF5 ask of a static HDF5. */
#include "capture/hdf5/hdf5_library.h"
#include "capture/hdf5/predefined_identifiers.h"
#include "capture/static/slots.h"

#define ASKED(type, function, ...) FTH_STATIC_SYMBOL(hdf5, "H5" #function, "__real_H5" #function)
#define TYPE(name) FTH_STATIC_OPTIONAL(hdf5, "H5T_" #name "_g", "H5T_" #name "_g")
#define LIST(name) FTH_STATIC_OPTIONAL(hdf5, "H5P_" #name "_ID_g", "H5P_" #name "_ID_g")

FTH_STATIC_LIBRARY(hdf5)
FTH_STATIC_SYMBOL(hdf5, "H5open", "__real_H5open")
FTH_STATIC_SYMBOL(hdf5, "H5Fstart_swmr_write", "__real_H5Fstart_swmr_write")
FTH_STATIC_OPTIONAL(hdf5, "H5Mcreate", "__real_H5Mcreate")
FTH_STATIC_OPTIONAL(hdf5, "H5VLget_connector_name", "__real_H5VLget_connector_name")
FTH_HDF5_FUNCTIONS(ASKED)
FTH_HDF5_TYPES(TYPE)
FTH_HDF5_LISTS(LIST)
