/* The functions of libclang, found by their names. */
#ifdef FATHOM_LIBCLANG
#include "instrument/libclang.h"

#include <dlfcn.h>
#include <stdio.h>

struct fth_clang fth_clang;

/* As distributions call it; its interface has been the same since version 3. */
static void *load(void)
{
    static const char *const forms[] = {"libclang-%d.so.1", "libclang.so.%d", "libclang-%d.so"};
    void *library = dlopen("libclang.so", RTLD_NOW | RTLD_LOCAL);
    for (int version = 30; version >= 11 && !library; version--)
        for (size_t i = 0; i < sizeof forms / sizeof *forms && !library; i++) {
            char name[32];
            snprintf(name, sizeof name, forms[i], version);
            library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        }
    return library;
}

int fth_clang_load(struct fth_error **error)
{
    void *library = fth_clang.createIndex ? NULL : load();
    if (fth_clang.createIndex)
        return 0;
    if (!library)
        return fth_fail(error, "there is no libclang, which reads the sources: install it (Debian: "
                               "libclang1, Fedora: clang-libs)");
#define FTH_CLANG_FIND(name)                                                                       \
    *(void **)&fth_clang.name = dlsym(library, "clang_" #name);                                    \
    if (!fth_clang.name)                                                                           \
        return fth_fail(error, "libclang lacks clang_" #name);
    FTH_CLANG_FUNCTIONS(FTH_CLANG_FIND)
#undef FTH_CLANG_FIND
    return 0;
}
#endif
