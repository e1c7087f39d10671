/* Libraries and plug-ins that come while the program runs. Ours stand before dlopen and dlsym (load.S), so that what was loaded is bound
 * before the program can call it (libraries.c): after a dlopen that we can do ourselves, else with the program's next dlsym or dlopen. A
 * function with a wrapper that is asked for by name is answered with the wrapper. */
#include "capture/bind.h"
#include "capture/objects.h"
#include "capture/process.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

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

void *fth_next_function(void **known, const char *name)
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
    return (dlopen_function *)fth_next_function(&known, "dlopen");
}

void *fth_real_dlopen(const char *file, int mode)
{
    void *handle = real_dlopen()(file, mode);
    __asm__ volatile("");
    return handle;
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
    struct turn turn = {(void *)real_dlopen(), NULL};
    fth_find_reals();
    if (!is_recording() || !file)
        return turn;
    opened = true;
    fth_bind_libraries(); /* what was loaded before, and what has been unloaded */
    fth_expect_deep(mode & RTLD_DEEPBIND);
    if (!is_for_anybody(file))
        return turn;
    turn.real = NULL;
    turn.answer = fth_real_dlopen(file, mode);
    if (turn.answer)
        fth_bind_libraries();
    fth_expect_deep(false);
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
    return (struct turn){fth_next_function(&real, "dlmopen"), NULL};
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
