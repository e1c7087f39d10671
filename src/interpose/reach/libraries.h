/* Libraries that may come, and when they have. */
#ifndef FTH_INTERPOSE_REACH_LIBRARIES_H
#define FTH_INTERPOSE_REACH_LIBRARIES_H

#include "interpose/interpose.h"

struct fth_known_library {
    const char *name;
    const char *stem;   /* that the name of its file begins with */
    const char *symbol; /* a function that it defines itself */
    const char *needs;  /* a function that only versions have which we know, or NULL */
};
enum { FTH_WRAPPED_LIBRARIES = 32 }; /* at most */

/* What wrappers define as fth_attach: binds them. Called once, when the library (`library`: of
 * dlopen) has been found at `path`. False: it was not done, and why has been noted. */
typedef bool fth_attach_function(void *library, const char *path);

/* Looks for libraries that we have wrappers of, loads the wrappers and binds them; binds what was
 * loaded since. Cheap when nothing was. */
void fth_bind_libraries(void);
/* What is new when they are looked for the next time was loaded with RTLD_DEEPBIND; or it was not
 * after all. */
void fth_expect_deep(bool deep);

#endif
