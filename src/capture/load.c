/* Libraries and plug-ins that come while the program runs. Ours stand before dlopen and dlsym (load.S), so that what was loaded is bound
 * before the program can call it: after a dlopen that we can do ourselves, else with the program's next dlsym or dlopen. A function
 * of MPI that is asked for by name is answered with its wrapper. */
#include "capture/bind.h"
#include "capture/objects.h"
#include "capture/process.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the linker's own functions ---- */

/* dlvsym is not ours, so it finds the dlsym that is not ours either. The version is that of glibc 2.34, or the first one for the machine. */
#if defined __x86_64__
#define FIRST_VERSION "GLIBC_2.2.5"
#elif defined __aarch64__
#define FIRST_VERSION "GLIBC_2.17"
#endif

typedef void *dlsym_function(void *, const char *);
typedef void *dlopen_function(const char *, int);

static dlsym_function *real_dlsym(void)
{
    static dlsym_function *known;
    dlsym_function *real = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!real)
        real = (dlsym_function *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (!real)
        real = (dlsym_function *)dlvsym(RTLD_NEXT, "dlsym", FIRST_VERSION);
    __atomic_store_n(&known, real, __ATOMIC_RELAXED);
    return real;
}

void *fth_real_dlsym(void *handle, const char *name)
{
    void *found = real_dlsym()(handle, name);
    __asm__ volatile(
        ""); /* no jump instead of the call: RTLD_NEXT is next to us, not to our caller */
    return found;
}

static void *find(void **known, const char *name)
{
    void *real = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!real)
        real = fth_real_dlsym(RTLD_NEXT, name);
    __atomic_store_n(known, real, __ATOMIC_RELAXED);
    return real;
}

static dlopen_function *real_dlopen(void)
{
    static void *known;
    return (dlopen_function *)find(&known, "dlopen");
}

void *fth_real_dlopen(const char *file, int mode)
{
    void *handle = real_dlopen()(file, mode);
    __asm__ volatile("");
    return handle;
}

/* ---- MPI ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

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

static bool is_defined_in(const struct fth_object *object, void *handle, const char *name)
{
    uintptr_t start, end, address = (uintptr_t)fth_real_dlsym(handle, name);
    fth_object_extent(object, &start, &end);
    return address >= start && address < end;
}

/* The handle of the object if it is a library of MPI and defines one of these functions itself. */
static void *mpi_handle(const struct fth_object *object, const char *const *names)
{
    if (!begins(fth_object_file(object->path), "libmpi"))
        return NULL;
    void *handle = fth_real_dlopen(object->path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    for (; handle && *names; names++)
        if (is_defined_in(object, handle, *names))
            return handle;
    if (handle)
        dlclose(handle);
    return NULL;
}

static const char *const in_c[] = {"PMPI_Init", NULL};
static const char *const in_fortran[] = {"mpi_init_", "mpi_init",      "mpi_init__",
                                         "MPI_INIT",  "mpi_init_f08_", NULL};

bool fth_is_fortran_of_mpi(const struct fth_object *object)
{
    void *handle = mpi_handle(object, in_fortran);
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

typedef bool attach_function(void *library, const char *path);

static attach_function *attach_fortran; /* once that of C has been attached */

static void attach(void *library, const char *path)
{
    void *wrappers = load_beside_us("libfathom-mpi.so");
    attach_function *attach_to =
        wrappers ? (attach_function *)fth_real_dlsym(wrappers, "fth_mpi_attach") : NULL;
    if (!attach_to)
        fth_process_note("unseen=", "MPI calls: libfathom-mpi.so cannot be loaded");
    else if (attach_to(library, path))
        attach_fortran = (attach_function *)fth_real_dlsym(wrappers, "fth_mpi_attach_fortran");
}

/* ---- looking around ---- */

static void *mpi; /* the library, once it has been seen */

/* The library with the Fortran of MPI is one of its own, or two. */
static void look_for_fortran(const struct fth_object *object)
{
    void *handle = attach_fortran ? mpi_handle(object, in_fortran) : NULL;
    if (handle)
        attach_fortran(handle, object->path);
}

/* All objects are bound when the library comes; later ones when they come. */
static void look_at(const struct fth_object *object)
{
    if (mpi) {
        fth_bind_object(object);
        look_for_fortran(object);
        return;
    }
    mpi = mpi_handle(object, in_c);
    if (mpi)
        attach(mpi, object->path);
}

/* One thread looks. Another does not wait for it: it may hold a lock of the linker that the first one wants. After a fork, the child
 * does not have the thread that looked. */
static int looking;

static bool begin_looking(void)
{
    int us = getpid(), who = __atomic_load_n(&looking, __ATOMIC_RELAXED);
    return who != us && __atomic_compare_exchange_n(&looking, &who, us, false, __ATOMIC_ACQUIRE,
                                                    __ATOMIC_RELAXED);
}

void fth_bind_libraries(void)
{
    struct fth_objects objects;
    int before = errno;
    if (!begin_looking())
        return;
    if (fth_objects_look(&objects)) {
        bool was_known = mpi != NULL;
        for (unsigned i = 0; i < objects.count && was_known == (mpi != NULL); i++)
            if (objects.list[i].is_new)
                look_at(&objects.list[i]);
        for (unsigned i = 0; i < objects.count && was_known != (mpi != NULL); i++)
            look_for_fortran(&objects.list[i]);
        fth_objects_drop(&objects);
        dlerror(); /* ours are none of the program's */
    }
    __atomic_store_n(&looking, 0, __ATOMIC_RELEASE);
    errno = before;
}

/* ---- before dlopen, dlmopen, dlsym ---- */

/* Where to go on; NULL: nowhere, this is the answer. */
struct turn {
    void *real, *answer;
};

static bool is_recording(void)
{
    return fth_process != NULL;
}

/* Does it not matter who asks? Then the path says all: no RUNPATH is looked through for it, nor is $ORIGIN in it. For what the library
 * needs in its turn, the old RPATH of the caller would matter. */
static bool is_for_anybody(const char *file)
{
    return file && strchr(file, '/') && !strchr(file, '$') && !fth_objects_have_rpath();
}

static bool opened; /* has the program ever loaded something by itself? */

static void note_once(bool *noted, const char *format, const char *file)
{
    char text[512];
    if (!file || __atomic_exchange_n(noted, true, __ATOMIC_RELAXED))
        return;
    snprintf(text, sizeof text, format, file);
    fth_process_note("unseen=", text);
}

struct turn fth_before_dlopen(const char *file, int mode);
struct turn fth_before_dlopen(const char *file, int mode)
{
    static bool noted;
    struct turn turn = {(void *)real_dlopen(), NULL};
    fth_find_reals();
    if (!is_recording() || !file)
        return turn;
    if (mode & RTLD_DEEPBIND)
        note_once(&noted, "calls from %s into the C library: loaded with RTLD_DEEPBIND", file);
    opened = true;
    fth_bind_libraries(); /* what was loaded before, and what has been unloaded */
    if (!is_for_anybody(file))
        return turn;
    turn.real = NULL;
    turn.answer = fth_real_dlopen(file, mode);
    if (turn.answer)
        fth_bind_libraries();
    return turn;
}

struct turn fth_before_dlmopen(Lmid_t space, const char *file, int mode);
struct turn fth_before_dlmopen(Lmid_t space, const char *file, int mode)
{
    static bool noted;
    static void *real;
    (void)mode;
    fth_find_reals();
    if (is_recording() && space != LM_ID_BASE)
        note_once(&noted, "calls from %s: loaded with dlmopen, with a C library of its own", file);
    opened = true;
    return (struct turn){find(&real, "dlmopen"), NULL};
}

struct turn fth_before_dlsym(void *handle, const char *name);
struct turn fth_before_dlsym(void *handle, const char *name)
{
    struct turn turn = {(void *)real_dlsym(), NULL};
    if (handle != RTLD_NEXT) /* that is for tools, which may be in the middle of malloc() */
        fth_find_reals();
    if (!is_recording() || !name)
        return turn;
    if (opened)
        fth_bind_libraries();
    if (handle == RTLD_NEXT ||
        !fth_is_bound(name)) /* who stands before the library asks for the next one */
        return turn;
    turn.answer = fth_bound_wrapper(name, fth_real_dlsym(handle, name));
    if (turn.answer)
        turn.real = NULL;
    return turn;
}
