/* What library an object is: by the name of its file and by a function that it defines itself.
 * libhdf5_hl.so is called much like libhdf5.so, and a plug-in that stands before MPI like MPI. */
#ifndef FTH_INTERPOSE_REACH_RECOGNIZE_H
#define FTH_INTERPOSE_REACH_RECOGNIZE_H

#include "interpose/reach/loaded_objects.h"

/* Its handle (of dlopen; to be closed by fth_real_dlclose) if its file's name begins with `stem`
 * and it defines one of these functions itself; NULL stands behind them. NULL: it is another. */
void *fth_recognize(const struct fth_object *object, const char *stem, const char *const *names);
/* The same of a library with the Fortran functions of MPI. */
void *fth_recognize_fortran(const struct fth_object *object);
bool fth_is_fortran_of_mpi(const struct fth_object *object);
/* Does the name of its file begin like this, up to ".so"? */
bool fth_is_called(const struct fth_object *object, const char *stem);

#endif
