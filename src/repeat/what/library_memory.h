/* The memory that calls of HDF5, NetCDF and PnetCDF read and fill, whoever repeats them. */
#ifndef FTH_REPEAT_LIBRARY_MEMORY_H
#define FTH_REPEAT_LIBRARY_MEMORY_H

#include "catalog/catalog.h"
#include "fathom/access.h"

/* Raises *bytes to those of the arrays that the call accesses, from its buffer on: a selection in
 * memory may be part of a larger array. `moved`: bytes that it moves. NULL; or why that is not
 * known. */
const char *fth_repeat_array_bytes(const struct fth_access *access, const struct fth_row *row,
                                   uint64_t moved, uint64_t *bytes);

/* Is memory of so many bytes far too large for what is moved? */
bool fth_repeat_is_too_wide(uint64_t bytes, uint64_t moved);
extern const char fth_repeat_too_wide[];

/* Datatypes of HDF5 with parts of variable length, which are pointers in memory: does this call
 * give its first handle such a part (H5T_VARIABLE), or make such a datatype (H5Tvlen_create)? */
bool fth_repeat_sets_variable_size(const struct fth_call *call, const struct fth_row *row);
bool fth_repeat_makes_sequence(const struct fth_row *row);

#endif
