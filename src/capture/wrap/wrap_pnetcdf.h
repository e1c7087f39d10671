/* What the generated wrappers of PnetCDF need: types of MPI, which is not needed to build, and what
 * the rows ask. */
#ifndef FTH_CAPTURE_WRAP_WRAP_PNETCDF_H
#define FTH_CAPTURE_WRAP_WRAP_PNETCDF_H

#include "capture/wrap/wrap_bound.h"

typedef void *MPI_Comm, *MPI_Info, *MPI_Datatype;
typedef int64_t MPI_Offset;

/* How many dimensions the variable has. -1: it is none. */
int64_t fth_pnc_rank(int ncid, int varid);
/* The same of several variables; -1: not all of them have as many. */
int64_t fth_pnc_common_rank(int ncid, int num, const int *varids);

/* Bytes in memory; the buffer gives the type of an element. -1: not known. Of one element, a block,
 * blocks, a whole variable; of one element, a block, all of each of several variables; and of
 * elements of a datatype. */
#define fth_pnc_bytes_of_one(buffer) ((int64_t)sizeof *(buffer))
#define fth_pnc_bytes(ncid, varid, count, buffer)                                                  \
    fth_pnc_block(ncid, varid, count, sizeof *(buffer))
#define fth_pnc_bytes_of_blocks(ncid, varid, num, counts, buffer)                                  \
    fth_pnc_blocks(ncid, varid, num, counts, sizeof *(buffer))
#define fth_pnc_bytes_of_all(ncid, varid, buffer) fth_pnc_all(ncid, varid, sizeof *(buffer))
#define fth_pnc_bytes_of_ones(num, buffers) ((num) * (int64_t)sizeof **(buffers))
#define fth_pnc_bytes_of_several(ncid, num, varids, counts, buffers)                               \
    fth_pnc_several(ncid, num, varids, counts, sizeof **(buffers))
#define fth_pnc_bytes_of_whole(ncid, num, varids, buffers)                                         \
    fth_pnc_several(ncid, num, varids, NULL, sizeof **(buffers))
int64_t fth_pnc_block(int ncid, int varid, const MPI_Offset *count, size_t element);
int64_t fth_pnc_blocks(int ncid, int varid, int num, MPI_Offset *const *counts, size_t element);
int64_t fth_pnc_all(int ncid, int varid, size_t element);
int64_t fth_pnc_several(int ncid, int num, const int *varids, MPI_Offset *const *counts,
                        size_t element);
int64_t fth_pnc_bytes_of_type(MPI_Offset count, MPI_Datatype datatype);

#endif
