/* Finds HDF5: see the header. Distributions that have it for several kinds of MPI name it after
 * them. */
#include "player/find_hdf5.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Of 2.0, 1.14, 1.12 and 1.10. */
static const char *const versions[] = {"", ".320", ".310", ".200", ".103"};

static const char *first_lacking(void *library, const char *const *functions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!dlsym(library, functions[i]))
            return functions[i];
    return NULL;
}

/* NULL: it is not there, or lacks a function. */
static void *try_one(const char *path, const char *const *functions, size_t count,
                     const char **lacks)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const char *lacking = library ? first_lacking(library, functions, count) : NULL;
    if (!lacking)
        return library;
    *lacks = lacking;
    dlclose(library);
    return NULL;
}

void *fth_player_open_hdf5(const char *path, const char *abi, const char *const *functions,
                           size_t count, const char **lacks)
{
    const char *kinds[] = {!strcmp(abi, "openmpi") ? "_openmpi"
                           : !strcmp(abi, "mpich") ? "_mpich"
                                                   : "_serial",
                           ""};
    *lacks = NULL;
    if (*path)
        return try_one(path, functions, count, lacks);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
            char name[64];
            snprintf(name, sizeof name, "libhdf5%s.so%s", kinds[kind], versions[i]);
            void *library = try_one(name, functions, count, lacks);
            if (library)
                return library;
        }
    return NULL;
}
