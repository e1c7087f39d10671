/* The functions of libucp, found by their names. */
#include "fs/server/ucx_library.h"

#ifdef FATHOM_UCX
#include <dlfcn.h>
#include <stdlib.h>

#define LIBRARY "libucp.so.0"

struct fth_ucx_functions fth_ucp;

int fth_ucx_load(struct fth_error **error)
{
    /* signals are the server's, and what it says goes to the log of the server */
    setenv("UCX_ERROR_SIGNALS", "", 0);
    setenv("UCX_HANDLE_ERRORS", "none", 0);
    setenv("UCX_LOG_FILE", "stderr", 0);
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fth_fail(error,
                        "%s: install UCX (Debian: libucx0), or start without --rdma: servers "
                        "speak by TCP then",
                        dlerror());
#define FTH_UCX_FIND(name)                                                                         \
    *(void **)&fth_ucp.name = dlsym(library, "ucp_" #name);                                        \
    if (!fth_ucp.name)                                                                             \
        return fth_fail(error, LIBRARY " lacks ucp_" #name);
    FTH_UCX_FUNCTIONS(FTH_UCX_FIND)
#undef FTH_UCX_FIND
    *(void **)&fth_ucp.text_of = dlsym(library, "ucs_status_string");
    if (!fth_ucp.text_of)
        return fth_fail(error, "the library of UCX has no texts of errors");
    return 0;
}
#endif
