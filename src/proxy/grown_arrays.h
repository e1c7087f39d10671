/* Arrays that are as large as the parts of all ranks together, one behind another: 4 * rank up to
 * 4 * rank + 4, of 4 * ranks. With more ranks such an array grows, so that these places stay in it.
 * Looked at are the extents of datasets of HDF5 that the run made, of dimensions of NetCDF and
 * PnetCDF, and of datatypes of MPI (subarrays) that views of files have. An extent grows if all
 * accesses of all ranks have such parts in its dimension. Inner header of the proxy room. */
#ifndef FTH_PROXY_GROWN_ARRAYS_H
#define FTH_PROXY_GROWN_ARRAYS_H

#include "proxy/kept_calls.h"

struct fth_proxy_process;
struct fth_grown_arrays;

/* For the rank `rank` of so many. */
struct fth_grown_arrays *fth_grown_arrays_open(int64_t rank, int64_t ranks);
/* Each call that the program makes, with its statement. */
void fth_grown_arrays_take(struct fth_grown_arrays *grown, const struct fth_proxy_calls *kept,
                           uint32_t statement);
/* Sets `parts` and `grown_places` of the statements of its sequence `rest`. NULL is allowed for
 * `grown`. */
void fth_grown_arrays_close(struct fth_grown_arrays *grown, struct fth_proxy_process *process);
/* Where ranks do not agree on an extent, none grows. */
void fth_grown_arrays_agree(struct fth_proxy_process *processes, size_t count);

#endif
