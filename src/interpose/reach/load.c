/* The linker's own functions, and a few more of libc, for us. */
#include "interpose/reach/load.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

/* dlvsym is not ours, so it finds the dlsym that is not ours either. The version is the first one
 * for the machine, which every glibc has. A version that is not there would cost a malloc for the
 * error: an allocator may be the one that asks, in the middle of its own start. */
#if defined __x86_64__
#define FIRST_VERSION "GLIBC_2.2.5"
#elif defined __aarch64__
#define FIRST_VERSION "GLIBC_2.17"
#endif

typedef void *dlsym_function(void *, const char *);
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

void *fth_next_dlsym(void)
{
    return (void *)real_dlsym();
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

fth_dlopen_function *fth_next_dlopen(void)
{
    static void *known;
    return (fth_dlopen_function *)fth_next_function(&known, "dlopen");
}

void *fth_dlopen_for_program(const char *file, int mode)
{
    void *handle = fth_next_dlopen()(file, mode);
    __asm__ volatile("");
    return handle;
}

/* For us. The runtime of a sanitizer comes here in the middle of its own start, by an mmap, while
 * it holds a lock that its dlopen wants; so these go past all tools. */
void *fth_real_dlopen(const char *file, int mode)
{
    static void *known;
    fth_dlopen_function *real = (fth_dlopen_function *)of_libc(&known, "dlopen");
    void *handle = real ? real(file, mode) : fth_dlopen_for_program(file, mode);
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

bool fth_is_loaded_later(void)
{
    static int known; /* 1: yes, 2: no */
    if (known)
        return known == 1;
    void *program = fth_real_dlopen(NULL, RTLD_LAZY);
    known = !program || fth_real_dlsym(program, fth_interposer.symbol) == fth_interposer.symbol_at
                ? 2
                : 1;
    if (program)
        fth_real_dlclose(program);
    if (known == 1)
        dlerror(); /* ours are none of the program's */
    return known == 1;
}
