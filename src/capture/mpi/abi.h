/* What an MPI library's handles and statuses look like. There are three answers: Open MPI, the
 * MPICH family (MPICH, Intel MPI, MVAPICH, Cray MPICH), and the ABI of the MPI 5 standard. Found at
 * run time, so that one build of the wrappers serves all of them. */
#ifndef FTH_CAPTURE_MPI_ABI_H
#define FTH_CAPTURE_MPI_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTH_MPI_CLASSES = 32 }; /* classes of handles in the catalogue, at most */

struct fth_mpi_predefined {
    const char *name, *openmpi;
    uint32_t mpich;
    uint16_t standard;
    uint16_t handle_class;
};
extern const struct fth_mpi_predefined fth_mpi_predefined[];
extern const unsigned fth_mpi_predefined_count;

struct fth_mpi_abi {
    const char *name;               /* "openmpi", "mpich", "standard" */
    uint8_t width[FTH_MPI_CLASSES]; /* bytes of a handle, by class */
    uint64_t null[FTH_MPI_CLASSES]; /* and 0: none of the three uses it for anything else */
    uintptr_t status_ignore;        /* MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE */
    uint32_t status_size, source_at, tag_at;
    uint64_t comm_world, comm_self, byte, errors_return;
    uint64_t uint64, max;        /* MPI_UINT64_T, MPI_MAX; 0: there is none */
    int root;                    /* MPI_ROOT */
    int cart, graph, dist_graph; /* what MPI_Topo_test says; all the same: not known */
};
extern struct fth_mpi_abi fth_mpi_abi;

/* Fills fth_mpi_abi for the library behind `handle` (of dlopen), loaded from `path`. False: its ABI
 * is not known; `why` says so. */
bool fth_mpi_recognise(void *handle, const char *path, char *why, size_t size);
/* Which of fth_mpi_predefined the handle is, but for null handles; -1: none. Looks at the handle
 * alone, so it may be garbage. */
int fth_mpi_find_predefined(uint32_t handle_class, uint64_t handle);
/* Bytes of one element of this datatype if the handle itself contains them; else -1. */
int64_t fth_mpi_size_in_handle(uint64_t datatype);

#endif
