/* What the generated wrappers of HDF5's high-level library need. */
#ifndef FTH_CAPTURE_WRAP_WRAP_HDF5_HL_H
#define FTH_CAPTURE_WRAP_WRAP_HDF5_HL_H

#include "capture/wrap/wrap_hdf5.h"

#endif
