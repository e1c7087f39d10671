/* What the generated wrappers of every library that is bound need. */
#ifndef FTH_CAPTURE_WRAP_BOUND_H
#define FTH_CAPTURE_WRAP_BOUND_H

#include "capture/bind.h"
#include "capture/library_handles.h"
#include "capture/runtime.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FTH_HERE (-100) /* AT_FDCWD */

/* Generated with the wrappers. */
extern const struct fth_bound_call fth_bound_calls[];
extern const unsigned fth_bound_call_count;
extern const char fth_bound_prefix[]; /* that the names of all functions have */
extern const char fth_bound_symbol[]; /* a function that the library defines itself */
extern const bool
    fth_bound_itself; /* are the library's references to its own functions bound, too? */
/* Functions of the library that wrappers ask, and where they find them; ends with a NULL name. */
struct fth_asked {
    const char *name;
    void **function;
};
extern const struct fth_asked fth_bound_asked[];

/* Binds the wrappers to the library (bound/attach.c). */
bool fth_attach_wrappers(void *library);

#endif
