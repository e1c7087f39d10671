/* Inner header of the model room: names of the errors of NetCDF and PnetCDF. */
#ifndef FTH_MODEL_READING_NETCDF_ERRORS_H
#define FTH_MODEL_READING_NETCDF_ERRORS_H

#include <stdint.h>

/* "NC_EBADID" for -33; NULL: not known. */
const char *fth_netcdf_error_name(int64_t number);

#endif
