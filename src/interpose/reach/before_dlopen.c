/* Libraries and plug-ins that come while the program runs. Ours stand before dlopen and dlsym
 * (before_dlopen.S), so that what was loaded is bound before the program can call it (libraries.c):
 * after a dlopen that we can do ourselves, else with the program's next dlsym or dlopen. A function
 * with a wrapper that is asked for by name is answered with the wrapper. */
#include "interpose/interpose.h"
#include "interpose/own/below.h"
#include "interpose/reach/bind.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/load.h"
#include "interpose/reach/loaded_objects.h"
#include "interpose/reach/reals.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Where to go on; NULL: nowhere, this is the answer. */
struct turn {
    void *real, *answer;
};

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
    fth_interposer.cannot_see(text);
}

struct turn fth_before_dlopen(const char *file, int mode);
struct turn fth_before_dlopen(const char *file, int mode)
{
    struct turn turn = {(void *)fth_next_dlopen(), NULL};
    fth_find_reals();
    fth_below_loaded();
    fth_below_loads(file);
    if (!fth_interposer.is_at_work() || !file)
        return turn;
    opened = true;
    fth_interposer.loads(file);
    fth_bind_libraries(); /* what was loaded before, and what has been unloaded */
    fth_expect_deep(mode & RTLD_DEEPBIND);
    if (!is_for_anybody(file))
        return turn;
    turn.real = NULL;
    turn.answer = fth_dlopen_for_program(file, mode);
    if (turn.answer)
        fth_bind_libraries();
    fth_below_loaded();
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
    fth_below_loads(file);
    if (fth_interposer.is_at_work() && file)
        fth_interposer.loads(file);
    if (fth_interposer.is_at_work() && space != LM_ID_BASE)
        note_once(&noted, "calls from %s: loaded with dlmopen, with a C library of its own", file);
    opened = true;
    return (struct turn){fth_next_function(&real, "dlmopen"), NULL};
}

struct turn fth_before_dlsym(void *handle, const char *name);
struct turn fth_before_dlsym(void *handle, const char *name)
{
    struct turn turn = {fth_next_dlsym(), NULL};
    if (handle != RTLD_NEXT) { /* that is for tools, which may be in the middle of malloc() */
        fth_find_reals();
        fth_below_loaded();
    }
    if (!name || (!fth_interposer.is_at_work() && &fth_below == NULL))
        return turn;
    if (opened && fth_interposer.is_at_work())
        fth_bind_libraries();
    if (handle == RTLD_NEXT) /* who stands before the library asks for the next one */
        return turn;
    void *found =
        fth_is_bound(name) || handle != RTLD_DEFAULT ? fth_real_dlsym(handle, name) : NULL;
    if (!found)
        return turn;
    turn.answer = fth_bound_wrapper(name, found);
    if (!turn.answer && handle != RTLD_DEFAULT)
        turn.answer = fth_libc_wrapper(name, found);
    if (turn.answer)
        turn.real = NULL;
    return turn;
}
