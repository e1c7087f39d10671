/* Communicators of a run with their members, found by the handles that processes have of them. */
#ifndef FTH_EXPORT_SHARED_COMMUNICATORS_H
#define FTH_EXPORT_SHARED_COMMUNICATORS_H

#include "base/error.h"
#include "base/intern.h"

#include <fathom/trace.h>

struct fth_exported_communicator {
    uint32_t size;
    uint32_t *procs; /* by rank; UINT32_MAX: not recorded */
    char *name; /* as the process of the lowest rank calls it; NULL: it has no name of its own */
};

struct fth_exported_communicators {
    struct fth_exported_communicator *list;
    uint32_t count;
    struct fth_intern handles; /* process and number of the handle */
    uint32_t *of_handle;       /* in `list` */
    uint32_t handle_limit;
};

/* All calls of a run with MPI are gone through. -1: *error is set. */
int fth_exported_communicators_begin(struct fth_exported_communicators *communicators,
                                     struct fth_trace *trace, struct fth_error **error);
void fth_exported_communicators_end(struct fth_exported_communicators *communicators);
/* The number in the list; UINT32_MAX: its members are not known. `handle` may be NULL. */
uint32_t fth_exported_communicators_find(const struct fth_exported_communicators *communicators,
                                         const struct fth_handle *handle);
/* UINT32_MAX: it is no member. */
uint32_t fth_exported_communicator_rank(const struct fth_exported_communicator *communicator,
                                        size_t proc);

#endif
