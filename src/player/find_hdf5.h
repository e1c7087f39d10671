/* Which library of HDF5 a replay uses. */
#ifndef FTH_PLAYER_FIND_HDF5_H
#define FTH_PLAYER_FIND_HDF5_H

#include <stddef.h>

/* Opens the library at `path`; or, if that is "", the first of those that fit the ABI of an MPI
 * ("openmpi", "mpich"; "" or others: none) and have all these functions. NULL: there is none;
 * *lacks is then a function that the last one that was found lacks, or NULL: none was found. */
void *fth_player_open_hdf5(const char *path, const char *abi, const char *const *functions,
                           size_t count, const char **lacks);

#endif
