/* Wrappers of libraries other than libc are not preloaded under the names of the functions, as a
 * program without the library must not see them: they are bound. Every reference to the function in
 * every loaded object is pointed to its wrapper. */
#ifndef FTH_INTERPOSE_REACH_BIND_H
#define FTH_INTERPOSE_REACH_BIND_H

#include "interpose/interpose.h"

struct fth_object;

/* A function of the library: its wrapper, and where the wrapper finds the real one. */
struct fth_bound_call {
    const char *name;
    void *wrapper;
    void **real;
    void *fortran; /* what functions for Fortran call instead of the wrapper, or NULL */
};

/* Who calls the library for programs in Fortran. */
struct fth_bound_fortran {
    const char *stem,
        *const *
            /* other libraries: their files' names begin with the stem, and have one of the words in
             * them */
            words;
    /* NULL; or an address in the library itself, which has functions for other languages inside,
     * too: those for Fortran, with one of the words in their names, count when somebody refers to
     * one of them */
    const void *inside;
};

struct fth_bound_library {
    void *handle; /* of dlopen */
    /* an address in it: its own references stay as they are; NULL: they do not */
    const void *inside;
    const char *prefix; /* that all names have, in small letters or capitals */
    const struct fth_bound_call *calls;
    const struct fth_bound_fortran *fortran; /* or NULL */
    unsigned count;
};

/* Points the references of all loaded objects to the wrappers, and from now on those of objects
 * that are loaded later; functions that the library lacks are left alone. Once for each library.
 * Returns how many references there were, or -1. Not for signal handlers. */
int fth_bind(const struct fth_bound_library *library) FTH_PUBLIC;
/* How many have been bound; and binds the first so many to an object that was loaded since. */
unsigned fth_bound_libraries(void);
void fth_bind_object(const struct fth_object *object, unsigned libraries);
/* The functions of libc that we define ourselves: found by the linker where we are preloaded, bound
 * where that does not help (bind_libc.c). False: there is no memory. */
bool fth_libc_calls(struct fth_bound_library *library);
/* Binds them to one object; `deep`: it was loaded with RTLD_DEEPBIND. False: that was not
 * possible. */
bool fth_bind_libc(const struct fth_object *object, bool deep);
/* Binds the functions of libc and of all libraries that have been bound to all objects; or points
 * the references back to the functions. */
bool fth_bind_all(bool back);
/* Is there a wrapper for a function of this name? */
bool fth_is_bound(const char *name);
/* The wrapper, if this is the function that it calls; else NULL. */
void *fth_bound_wrapper(const char *name, const void *function);

/* Our wrappers are bound everywhere, as they are found by nobody. */
extern bool fth_is_attached;

/* bind_libc.c: what stands for a function of libc that was found by name; NULL: nothing does. */
void *fth_libc_wrapper(const char *name, const void *function);

#endif
