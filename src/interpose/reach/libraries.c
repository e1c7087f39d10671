/* Looks among the loaded objects for libraries that there are wrappers of (`library` in the
 * catalogue), loads the wrappers, and lets them be bound; what is loaded later is bound when it
 * comes. Libraries may come in any order, at start or by dlopen, in any scope. */
#include "interpose/reach/libraries.h"

#include "interpose/reach/bind.h"
#include "interpose/reach/load.h"
#include "interpose/reach/loaded_objects.h"
#include "interpose/reach/recognize.h"
#include "interpose/reach/static.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { LONGEST_NOTE = 512 };

/* ---- wrappers ---- */

/* Beside this library, wherever that was installed. */
static void *load_beside_us(const char *file)
{
    Dl_info us;
    char path[4096];
    if (!dladdr((void *)fth_bind_libraries, &us) || !us.dli_fname)
        return NULL;
    int folder = (int)(fth_object_file(us.dli_fname) - us.dli_fname);
    if (snprintf(path, sizeof path, "%.*s%s", folder, us.dli_fname, file) >= (int)sizeof path)
        return NULL;
    return fth_real_dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void note_unseen(const char *name, const char *path, const char *why)
{
    char text[LONGEST_NOTE];
    snprintf(text, sizeof text, "%s calls of %s: %s", name, path, why);
    fth_interposer.cannot_see(text);
}

static void attach(const struct fth_wrapped_library *wrapped, void *library, const char *path,
                   void **wrappers)
{
    const struct fth_known_library *known = wrapped->known;
    char file[64], why[LONGEST_NOTE];
    if (known->needs && !fth_library_symbol(library, known->needs)) {
        snprintf(why, sizeof why, "an old version, which lacks %s", known->needs);
        note_unseen(known->name, path, why);
        return;
    }
    snprintf(file, sizeof file, "libfathom-%s.so", known->name);
    *wrappers = wrapped->wrappers ? wrapped->wrappers : load_beside_us(file);
    fth_attach_function *attach_to =
        *wrappers ? (fth_attach_function *)fth_real_dlsym(*wrappers, "fth_attach") : NULL;
    if (!attach_to) {
        snprintf(why, sizeof why, "%s cannot be loaded", file);
        note_unseen(known->name, path, why);
        *wrappers = NULL;
    } else if (!attach_to(library, path)) {
        *wrappers = NULL;
    }
}

/* ---- Fortran of MPI ---- */

/* They are a part of MPI: what they call is not bound (capture/mpi/fortran_arguments.c). */
static fth_attach_function *attach_fortran; /* once that of C has been attached */

static void look_for_fortran(const struct fth_object *object)
{
    void *handle = attach_fortran ? fth_recognize_fortran(object) : NULL;
    if (handle)
        attach_fortran(handle, object->path);
}

/* ---- looking around ---- */

static struct {
    void *handle; /* of dlopen, once it has been seen */
    uintptr_t base;
    bool another; /* has been seen, too */
} seen[FTH_WRAPPED_LIBRARIES];

/* Wrappers call one library. What another one of the same name is called for is not seen. */
static void look_at_another(unsigned i, const char *name, const struct fth_object *object,
                            void *handle)
{
    if (!seen[i].another && object->base != seen[i].base)
        note_unseen(name, object->path, "another one was loaded before");
    seen[i].another = seen[i].another || object->base != seen[i].base;
    fth_real_dlclose(handle);
}

/* A plug-in that names a function which its library has not is of no use: nothing would show it. */
static void look_at_stranger(const struct fth_known_library *known, const struct fth_object *object)
{
    char why[LONGEST_NOTE];
    if (!fth_is_called(object, known->stem))
        return;
    snprintf(why, sizeof why, "it does not define %s, by which the plug-in knows it",
             known->symbol);
    note_unseen(known->name, object->path, why);
}

/* Is it one of the libraries? Then all objects are bound to it. */
static void look_at(const struct fth_object *object)
{
    for (unsigned i = 0; i < FTH_WRAPPED_LIBRARIES; i++) {
        struct fth_wrapped_library wrapped = fth_interposer.library(i);
        if (!wrapped.known)
            break;
        const char *const names[] = {wrapped.known->symbol, NULL};
        void *wrappers = NULL, *handle = fth_recognize(object, wrapped.known->stem, names);
        if (handle && seen[i].handle) {
            look_at_another(i, wrapped.known->name, object, handle);
        } else if (handle) {
            seen[i].handle = handle;
            seen[i].base = object->base;
            attach(&wrapped, handle, object->path, &wrappers);
        } else if (wrapped.wrappers) {
            look_at_stranger(wrapped.known, object);
        }
        if (wrappers && !attach_fortran)
            attach_fortran = (fth_attach_function *)fth_real_dlsym(wrappers, "fth_attach_fortran");
    }
}

/* Has it libraries inside that it calls through slots? Not those that have been seen: a program
 * that was linked with the options for a static library may have got a shared one. */
static void look_for_static(const struct fth_object *object)
{
    uintptr_t start, end;
    if (!fth_static_look(object))
        return;
    fth_object_extent(object, &start, &end);
    for (unsigned i = 0; i < FTH_WRAPPED_LIBRARIES; i++) {
        struct fth_wrapped_library wrapped = fth_interposer.library(i);
        if (!wrapped.known)
            break;
        uintptr_t address = (uintptr_t)fth_static_symbol(wrapped.known->symbol);
        void *wrappers;
        if (address < start || address >= end || seen[i].handle)
            continue;
        seen[i].handle = fth_static_handle();
        seen[i].base = object->base;
        attach(&wrapped, seen[i].handle, *object->path ? object->path : "the program itself",
               &wrappers);
    }
}

/* One thread looks. Another does not wait for it: it may hold a lock of the linker that the first
 * one wants. After a fork, the child does not have the thread that looked. */
static int looking;

static bool begin_looking(void)
{
    int us = getpid(), who = __atomic_load_n(&looking, __ATOMIC_RELAXED);
    return who != us && __atomic_compare_exchange_n(&looking, &who, us, false, __ATOMIC_ACQUIRE,
                                                    __ATOMIC_RELAXED);
}

static bool deep_is_expected;

void fth_expect_deep(bool deep)
{
    __atomic_store_n(&deep_is_expected, deep, __ATOMIC_RELAXED);
}

/* Its references to libc lead past us. */
static void bind_libc(const struct fth_object *object, bool deep)
{
    if (!fth_bind_libc(object, deep) && deep)
        note_unseen("C library", object->path, "loaded with RTLD_DEEPBIND");
}

void fth_bind_libraries(void)
{
    struct fth_objects objects;
    int before = errno;
    if (!begin_looking())
        return;
    bool deep = __atomic_exchange_n(&deep_is_expected, false, __ATOMIC_RELAXED);
    if (fth_objects_look(&objects)) {
        fth_interposer.objects_changed(&objects);
        bool was_known = attach_fortran != NULL;
        for (unsigned i = 0; (deep || fth_is_attached) && i < objects.count; i++)
            if (objects.list[i].is_new)
                bind_libc(&objects.list[i], deep);
        unsigned bound = fth_bound_libraries();
        for (unsigned i = 0; i < objects.count; i++)
            if (objects.list[i].is_new)
                fth_bind_object(&objects.list[i], bound);
        for (unsigned i = 0; i < objects.count; i++)
            if (objects.list[i].is_new)
                look_at(&objects.list[i]);
        for (unsigned i = 0; i < objects.count; i++)
            if (objects.list[i].is_new)
                look_for_static(&objects.list[i]);
        for (unsigned i = 0; i < objects.count; i++)
            if (objects.list[i].is_new || !was_known)
                look_for_fortran(&objects.list[i]);
        dlerror(); /* ours are none of the program's */
    }
    __atomic_store_n(&looking, 0, __ATOMIC_RELEASE);
    errno = before;
}
