/* What library an object is. */
#include "interpose/reach/recognize.h"

#include "interpose/reach/load.h"

#include <dlfcn.h>
#include <string.h>

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_defined_in(const struct fth_object *object, void *handle, const char *name)
{
    uintptr_t start, end, address = (uintptr_t)fth_real_dlsym(handle, name);
    fth_object_extent(object, &start, &end);
    return address >= start && address < end;
}

void *fth_recognize(const struct fth_object *object, const char *stem, const char *const *names)
{
    if (!begins(fth_object_file(object->path), stem))
        return NULL;
    void *handle = fth_real_dlopen(object->path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    for (; handle && *names; names++)
        if (is_defined_in(object, handle, *names))
            return handle;
    if (handle)
        fth_real_dlclose(handle);
    return NULL;
}

bool fth_is_called(const struct fth_object *object, const char *stem)
{
    const char *file = fth_object_file(object->path);
    return begins(file, stem) && begins(file + strlen(stem), ".so");
}

/* The functions for Fortran are in one library beside that of C, or in two, or in the same. */
void *fth_recognize_fortran(const struct fth_object *object)
{
    static const char *const names[] = {"mpi_init_", "mpi_init",      "mpi_init__",
                                        "MPI_INIT",  "mpi_init_f08_", NULL};
    return fth_recognize(object, "libmpi", names);
}

bool fth_is_fortran_of_mpi(const struct fth_object *object)
{
    void *handle = fth_recognize_fortran(object);
    if (handle)
        fth_real_dlclose(handle);
    return handle != NULL;
}
