/* The functions of libmicrohttpd, found by their names. */
#ifdef FATHOM_MICROHTTPD
#include "cmd/view/microhttpd.h"

#include <dlfcn.h>

#define LIBRARY "libmicrohttpd.so.12"

struct fth_http fth_http;

int fth_http_load(struct fth_error **error)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fth_fail(
            error,
            "%s: install it (Debian: libmicrohttpd12), or write the page to a file with "
            "`fathom report --html -o run.html`",
            dlerror());
#define FTH_HTTP_FIND(name)                                                                        \
    *(void **)&fth_http.name = dlsym(library, "MHD_" #name);                                       \
    if (!fth_http.name)                                                                            \
        return fth_fail(error, LIBRARY " lacks MHD_" #name);
    FTH_HTTP_FUNCTIONS(FTH_HTTP_FIND)
#undef FTH_HTTP_FIND
    return 0;
}
#endif
