/* The functions of libc that have wrappers. */
#include "interpose/reach/reals.h"

#include "interpose/own/below.h"
#include "interpose/own/stack.h"
#include "interpose/reach/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char *text)
{
    syscall(SYS_write, STDERR_FILENO, text, strlen(text));
}

/* Each wrapper looks for its function when it is called first. That would take away the message
 * which a program that loads libraries has yet to get from dlerror(), or is just about to print:
 * such a program has all of them looked for before. */
static bool begun;

void fth_find_reals(void)
{
    const char *name = fth_interposer.real_names;
    bool missing = false;
    if (__atomic_exchange_n(&begun, true, __ATOMIC_RELAXED))
        return;
    int before = errno;
    for (unsigned i = 0; i < *fth_interposer.real_count; i++, name += strlen(name) + 1) {
        void *function = fth_real_dlsym(RTLD_NEXT, name);
        missing = missing || !function;
        __atomic_store_n(&fth_interposer.reals[i], function, __ATOMIC_RELAXED);
    }
    if (missing)
        dlerror(); /* ours are none of the program's */
    errno = before;
}

static void *found_before(const char *name)
{
    const char *at = fth_interposer.real_names;
    if (!__atomic_load_n(&begun, __ATOMIC_RELAXED))
        return NULL;
    for (unsigned i = 0; i < *fth_interposer.real_count; i++, at += strlen(at) + 1)
        if (strcmp(at, name) == 0)
            return __atomic_load_n(&fth_interposer.reals[i], __ATOMIC_RELAXED);
    return NULL;
}

struct look_up {
    const char *name;
    void *function;
};

static void look_up(void *argument)
{
    struct look_up *asked = argument;
    const char *name = asked->name;
    void *function = found_before(name);
    if (!function)
        function = fth_real_dlsym(RTLD_NEXT, name);
    if (!function) {
        say("fathom: the C library has no function ");
        say(name);
        say(": the program cannot go on\n");
        syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), SIGABRT);
        syscall(SYS_exit_group, 127);
    }
    asked->function = fth_interposer.in_front_of(name, fth_below_instead(name, function));
}

void *fth_real(const char *name)
{
    struct look_up asked = {.name = name};
    int before = errno;
    fth_on_own_stack(look_up, &asked);
    errno = before;
    return asked.function;
}
