/* Waits for a signal of its own. With -DLIBRARY: a library that stands before libc's sigwait and
 * says so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>

#ifdef LIBRARY
int sigwait(const sigset_t *set, int *number)
{
    int (*next)(const sigset_t *, int *) =
        (int (*)(const sigset_t *, int *))dlsym(RTLD_NEXT, "sigwait");
    puts("before");
    return next(set, number);
}
#else
int main(void)
{
    int number = 0;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    int result = sigwait(&set, &number);
    printf("%d %d\n", result, number == SIGUSR1);
    return 0;
}
#endif
