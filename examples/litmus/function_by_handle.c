/* A process finds pwrite by a handle of the C library, as ctypes of Python does.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <dlfcn.h>

static void first(void)
{
    void *library = dlopen("libc.so.6", RTLD_NOW);
    ssize_t (*write_at)(int, const void *, size_t, off_t) = dlsym(library, "pwrite");
    must(write_at(open_file("shared", 0), bytes, 8, 0) == 8, "pwrite");
}

static void second(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
