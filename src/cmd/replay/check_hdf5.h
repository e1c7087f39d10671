/* Can calls of HDF5 be repeated? Asked before anything is touched. */
#ifndef FTH_CMD_REPLAY_CHECK_HDF5_H
#define FTH_CMD_REPLAY_CHECK_HDF5_H

#include "base/error.h"
#include "fathom/trace.h"
#include "repeat/what/file_places.h"

/* Has the trace calls of HDF5 that can be repeated, and, if that is wanted, is there a library that
 * has their functions? `path`: of the library; NULL: one that fits the MPI of the run. -1 and
 * *error: no. */
int fth_replay_check_hdf5(const struct fth_trace *trace, const struct fth_repeat_ways *ways,
                          const char *path, bool is_library_wanted, struct fth_error **error);
/* Did the run open no file with HDF5 that it had not made? A trace has no contents of files. */
int fth_replay_check_contents(const struct fth_repeat_places *places, struct fth_error **error);

#endif
