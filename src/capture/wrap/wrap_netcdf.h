/* What the generated wrappers of NetCDF need: types of MPI, which is not needed to build, and what
 * the rows ask. */
#ifndef FTH_CAPTURE_WRAP_WRAP_NETCDF_H
#define FTH_CAPTURE_WRAP_WRAP_NETCDF_H

#include "capture/wrap/wrap_bound.h"

typedef void *MPI_Comm, *MPI_Info;

/* How many dimensions the variable has. -1: it is none. */
int64_t fth_nc_rank(int ncid, int varid);

/* Bytes in memory of a block, of one element, of a whole variable; `buffer` gives the type of an
 * element. -1: not known. */
#define fth_nc_bytes(ncid, varid, count, buffer)                                                   \
    fth_nc_block(ncid, varid, (const size_t *)(count), FTH_NC_ELEMENT(buffer))
#define fth_nc_bytes_of_one(ncid, varid, buffer) fth_nc_one(ncid, varid, FTH_NC_ELEMENT(buffer))
#define fth_nc_bytes_of_all(ncid, varid, buffer) fth_nc_all(ncid, varid, FTH_NC_ELEMENT(buffer))

/* 0: it is of the type that the variable has. */
#define FTH_NC_ELEMENT(buffer)                                                                     \
    _Generic((buffer), void * : 0, const void * : 0, default : sizeof *(buffer))
int64_t fth_nc_block(int ncid, int varid, const size_t *count, size_t element);
int64_t fth_nc_one(int ncid, int varid, size_t element);
int64_t fth_nc_all(int ncid, int varid, size_t element);

#endif
