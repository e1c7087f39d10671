/* How wrappers are bound to their library: the same for every library that needs nothing but what
 * its rows say. One that needs more has a folder of its own, with an fth_attach that calls
 * fth_attach_wrappers. */
#include "capture/wrap/wrap_bound.h"
#include "interpose/reach/bind.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/static.h"

bool fth_attach_wrappers(void *library)
{
    static struct fth_bound_fortran fortran;
    const void *inside = fth_library_symbol(library, fth_bound_symbol);
    fortran = (struct fth_bound_fortran){fth_bound_stem, fth_bound_words_of_fortran,
                                         fth_bound_itself ? inside : NULL};
    struct fth_bound_library bound = {.handle = library,
                                      .inside = fth_bound_itself ? NULL : inside,
                                      .prefix = fth_bound_prefix,
                                      .calls = fth_bound_calls,
                                      .fortran = *fth_bound_words_of_fortran ? &fortran : NULL,
                                      .count = fth_bound_call_count};
    for (const struct fth_asked *asked = fth_bound_asked; asked->name; asked++)
        *asked->function = fth_library_symbol(library, asked->name);
    return fth_bind(&bound) >= 0;
}

/* Called by libfathom.so, once, when it has found the library. */
FTH_PUBLIC fth_attach_function fth_attach __attribute__((weak));
bool fth_attach(void *library, const char *path)
{
    (void)path;
    return fth_attach_wrappers(library);
}
