/* Functions as regions: longjmp, signal handlers, fork, a library that is loaded later, and
 * functions that do not end. */
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int file;
static jmp_buf back;

__attribute__((no_instrument_function)) static void touch(int bytes)
{
    if (pwrite(file, "0123456789abcdef", (size_t)bytes, 0) != bytes)
        abort();
}

__attribute__((noinline)) static void jumper(int depth)
{
    if (depth)
        jumper(depth - 1);
    touch(1);
    longjmp(back, 1);
}

static void handler(int number)
{
    (void)number;
    touch(2);
}

static void child(void)
{
    touch(3);
}

__attribute__((noinline)) static void last(void)
{
    touch(4);
    exit(3);
}

int main(int count, char **arguments)
{
    file = open("data", O_RDWR | O_CREAT, 0644);
    if (!setjmp(back))
        jumper(2);
    touch(5);
    if (!setjmp(back))
        jumper(100); /* deeper than what is distinguished */
    touch(6);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    fflush(stdout);
    pid_t other = fork();
    if (other == 0) {
        child();
        _exit(0);
    }
    waitpid(other, NULL, 0);
    void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    void (*loaded)(void (*)(int)) =
        library ? (void (*)(void (*)(int)))dlsym(library, "loaded") : NULL;
    if (!loaded)
        abort();
    loaded(touch);
    puts("done");
    last();
}
