/* Inner header: the few functions of MPI that are needed, from whichever library the launcher is
 * of. Fathom is not linked with one. */
#ifndef FTH_MEASURE_MPI_LIBRARY_H
#define FTH_MEASURE_MPI_LIBRARY_H

#include "base/error.h"

#include <stdint.h>

/* Handles are pointers in Open MPI and integers in MPICH and its kin; a pointer's register holds
 * either. */
struct fth_mpi {
    int (*init)(int *count, char ***arguments);
    int (*finalize)(void);
    int (*rank)(void *comm, int *rank);
    int (*size)(void *comm, int *size);
    int (*send)(const void *buffer, int count, void *type, int to, int tag, void *comm);
    int (*receive)(void *buffer, int count, void *type, int from, int tag, void *comm,
                   void *status);
    int (*exchange)(const void *out, int out_count, void *out_type, int to, int out_tag, void *in,
                    int in_count, void *in_type, int from, int in_tag, void *comm, void *status);
    int (*probe)(int from, int tag, void *comm, int *is_there, void *status);
    int (*file_open)(void *comm, const char *path, int mode, void *info, void **file);
    int (*file_close)(void **file);
    int (*file_write_at)(void *file, int64_t offset, const void *buffer, int count, void *type,
                         void *status);
    void *world, *self, *byte, *no_status, *no_info;
    const char *name;
    uint64_t eager; /* what its usual limit is between nodes */
};

/* Loads the library, `path` or, NULL, one that fits the launcher, and begins with MPI. -1: there is
 * none, or it sees other processes than the launcher has started. */
int fth_mpi_begin(struct fth_mpi *mpi, const char *path, int rank, int size,
                  struct fth_error **error);

#endif
