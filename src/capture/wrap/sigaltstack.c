/* A thread sets another stack for its signal handlers. */
#include "capture/process/process.h"
#include "capture/record/signal_stack.h"
#include "interpose/reach/reals.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>

typedef int set_stack(const stack_t *, stack_t *);
static set_stack *real;

/* A signal handler should not have to look for it. */
__attribute__((constructor)) static void start(void)
{
    int before = errno;
    real = (set_stack *)dlsym(RTLD_NEXT, "sigaltstack");
    errno = before;
}

FTH_PUBLIC int sigaltstack(const stack_t *stack, stack_t *old)
{
    if (!real)
        real = (set_stack *)fth_real("sigaltstack");
    int result = real(stack, old);
    struct fth_recorder *recorder = fth_self;
    if (stack && result == 0 && recorder && *fth_alive == 1 && !fth_vforked)
        fth_signal_stack_known(recorder);
    return result;
}
