/* Libraries and plug-ins that come while the program runs. Ours stand before dlopen and dlsym
 * (load.S), so that what was loaded is bound before the program can call it (libraries.c): after a
 * dlopen that we can do ourselves, else with the program's next dlsym or dlopen. A function with a
 * wrapper that is asked for by name is answered with the wrapper. */
#include "capture/bind.h"
#include "capture/objects.h"
#include "capture/process.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the linker's own functions ---- */

/* dlvsym is not ours, so it finds the dlsym that is not ours either. The version is the first one
 * for the machine, which every glibc has. A version that is not there would cost a malloc for the
 * error: an allocator may be the one that asks, in the middle of its own start. */
#if defined __x86_64__
#define FIRST_VERSION "GLIBC_2.2.5"
#elif defined __aarch64__
#define FIRST_VERSION "GLIBC_2.17"
#endif

typedef void *dlsym_function(void *, const char *);
typedef void *dlopen_function(const char *, int);
typedef int dlclose_function(void *);
typedef int visit_function(struct dl_phdr_info *, size_t, void *);
typedef int iterate_function(visit_function *, void *);
typedef void end_function(int, void *);
typedef int on_exit_function(end_function *, void *);

/* Of libc itself, whoever stands in front of it: tools have no versions. */
static void *of_libc(void **known, const char *name)
{
    void *real = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!real)
        real = dlvsym(RTLD_NEXT, name, FIRST_VERSION);
    __atomic_store_n(known, real, __ATOMIC_RELAXED);
    return real;
}

static dlsym_function *real_dlsym(void)
{
    static void *known;
    return (dlsym_function *)of_libc(&known, "dlsym");
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

static dlopen_function *next_dlopen(void)
{
    static void *known;
    return (dlopen_function *)fth_next_function(&known, "dlopen");
}

/* For the program: a tool that stands behind us, a sanitizer say, is to see it. */
static void *open_for_program(const char *file, int mode)
{
    void *handle = next_dlopen()(file, mode);
    __asm__ volatile("");
    return handle;
}

/* For us. The runtime of a sanitizer comes here in the middle of its own start, by an mmap, while
 * it holds a lock that its dlopen wants; so these go past all tools. */
void *fth_real_dlopen(const char *file, int mode)
{
    static void *known;
    dlopen_function *real = (dlopen_function *)of_libc(&known, "dlopen");
    void *handle = real ? real(file, mode) : open_for_program(file, mode);
    __asm__ volatile("");
    return handle;
}

int fth_real_dlclose(void *handle)
{
    static void *known;
    dlclose_function *real = (dlclose_function *)of_libc(&known, "dlclose");
    return (real ? real : dlclose)(handle);
}

int fth_real_iterate(visit_function *visit, void *data)
{
    static void *known;
    iterate_function *real = (iterate_function *)of_libc(&known, "dl_iterate_phdr");
    return (real ? real : dl_iterate_phdr)(visit, data);
}

int fth_real_on_exit(end_function *at_end, void *data)
{
    static void *known;
    on_exit_function *real = (on_exit_function *)of_libc(&known, "on_exit");
    return (real ? real : on_exit)(at_end, data);
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

/* Does it not matter who asks? Then the path says all: no RUNPATH is looked through for it, nor is
 * $ORIGIN in it. For what the library needs in its turn, the old RPATH of the caller would
 * matter. */
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
    struct turn turn = {(void *)next_dlopen(), NULL};
    fth_find_reals();
    if (!is_recording() || !file)
        return turn;
    opened = true;
    fth_bind_libraries(); /* what was loaded before, and what has been unloaded */
    fth_expect_deep(mode & RTLD_DEEPBIND);
    if (!is_for_anybody(file))
        return turn;
    turn.real = NULL;
    turn.answer = open_for_program(file, mode);
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
