/* By what a static high-level library of HDF5 is known. */
#include "capture/static/slots.h"

FTH_STATIC_LIBRARY(hdf5_hl)
FTH_STATIC_SYMBOL(hdf5_hl, "H5LTmake_dataset", "__real_H5LTmake_dataset")
FTH_STATIC_SYMBOL(hdf5_hl, "H5DOappend", "__real_H5DOappend")
