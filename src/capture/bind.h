/* Wrappers of libraries other than libc are not preloaded under the names of the functions, as a program without the library must not
 * see them: they are bound. Every reference to the function in every loaded object is pointed to its wrapper. */
#ifndef FTH_CAPTURE_BIND_H
#define FTH_CAPTURE_BIND_H

#include "capture/runtime.h"

struct fth_object;

/* A function of the library: its wrapper, and where the wrapper finds the real one. */
struct fth_bound_call {
    const char *name;
    void *wrapper;
    void **real;
};

struct fth_bound_library {
    void *handle;       /* of dlopen */
    const void *inside; /* an address in it: its own references stay as they are */
    const char *prefix; /* that all names have, in small letters or capitals */
    const struct fth_bound_call *calls;
    unsigned count;
};

/* Points the references of all loaded objects to the wrappers, and from now on those of objects that are loaded later; functions that
 * the library lacks are left alone. Once for each library. Returns how many references there were, or -1. Not for signal handlers. */
int fth_bind(const struct fth_bound_library *library) FTH_PUBLIC;
/* The same for an object that was loaded since, and all libraries that have been bound. */
void fth_bind_object(const struct fth_object *object);
/* Is there a wrapper for a function of this name? */
bool fth_is_bound(const char *name);
/* The wrapper, if this is the function that it calls; else NULL. */
void *fth_bound_wrapper(const char *name, const void *function);

/* Looks for libraries that we have wrappers of, loads the wrappers and binds them; binds what was loaded since (load.c). Cheap when
 * nothing was. */
void fth_bind_libraries(void);
/* Is it a library with the Fortran functions of MPI? */
bool fth_is_fortran_of_mpi(const struct fth_object *object);
/* The linker's functions behind our own (load.c). */
void *fth_real_dlsym(void *handle, const char *name);
void *fth_real_dlopen(const char *file, int mode);

#endif
