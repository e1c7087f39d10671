/* Wrappers of libraries other than libc are not preloaded under the names of the functions, as a program without the library must not
 * see them: they are bound. Every reference to the function in every loaded object is pointed to its wrapper. */
#ifndef FTH_CAPTURE_BIND_H
#define FTH_CAPTURE_BIND_H

#include "capture/runtime.h"

/* A function of the library: its wrapper, and where the wrapper finds the real one. */
struct fth_bound_call {
    const char *name;
    void *wrapper;
    void **real;
};

struct fth_bound_library {
    void *handle;       /* of dlopen */
    const void *inside; /* an address in it: its own references stay as they are */
    const char *prefix; /* that all names have */
    const struct fth_bound_call *calls;
    unsigned count;
};

/* Points the references of all loaded objects to the wrappers; functions that the library lacks are left alone. May be called again
 * when more objects have been loaded. Returns how many references there were, or -1 with errno set. Not for signal handlers. */
int fth_bind(const struct fth_bound_library *library) FTH_PUBLIC;

/* Looks for libraries that we have wrappers of, loads the wrappers and binds them. Cheap when nothing was loaded since. */
void fth_bind_libraries(void);

#endif
