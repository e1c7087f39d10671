/* What the wrappers for Fortran need beside those of C (capture/wrap/wrap_mpi.h): arguments of
 * Fortran as C has them. */
#ifndef FTH_CAPTURE_MPI_FORTRAN_ARGUMENTS_H
#define FTH_CAPTURE_MPI_FORTRAN_ARGUMENTS_H

#include "capture/wrap/wrap_mpi.h"
#include "interpose/reach/bind.h"

extern const struct fth_bound_call fth_fortran_calls[];
extern const unsigned fth_fortran_call_count;

enum { FTH_FORTRAN_LONGEST = 4096 };

static inline void fth_is_fortran(struct fth_draft *draft)
{
    draft->head |= (uint64_t)FTH_FROM_FORTRAN << 24;
}

/* The handle of C for the INTEGER there. */
void *fth_fortran_handle(uint32_t handle_class, const void *integer);
struct fth_fortran_handles {
    uint64_t list[FTH_MPI_MOST]; /* packed as the library's handles are wide */
};
void fth_fortran_handles(struct fth_fortran_handles *own, uint32_t handle_class,
                         const void *integers, int64_t n);

struct fth_fortran_integers {
    int list[FTH_MPI_MOST];
};
void fth_fortran_logicals(struct fth_fortran_integers *own, const void *logicals, int64_t n);
/* Indices of requests, from 0. `before` and `now`: the requests before and after the call, as C has
 * them. */
void fth_fortran_indices(int *own, const void *indices, int64_t n,
                         const struct fth_mpi_handles *before, const void *now);

struct fth_fortran_text {
    char text[FTH_FORTRAN_LONGEST + 1];
};
/* The text without the blanks around it, as MPI takes it. The compilers do not agree on how wide
 * `length` is. */
const char *fth_fortran_text(struct fth_fortran_text *own, const void *text, size_t length);

/* The same as those of capture/wrap/wrap_mpi.h. */
typedef void fth_real_fortran_open(void *comm, void *filename, void *amode, void *info, void *fh,
                                   void *ierror, size_t length);
typedef void fth_real_fortran_close(void *fh, void *ierror);
void fth_around_fortran_MPI_File_open(fth_real_fortran_open *real, void *comm, void *filename,
                                      void *amode, void *info, void *fh, void *ierror,
                                      size_t length);
void fth_around_fortran_MPI_File_close(fth_real_fortran_close *real, void *fh, void *ierror);

/* C's MPI_STATUS_IGNORE when it is one of Fortran's, else the same address: both have the same
 * layout in all known ABIs. */
MPI_Status *fth_fortran_status(void *status);

#endif
