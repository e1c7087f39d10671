/* A child writes with pwrite to a descriptor of its parent that appends: where that went is not
 * recorded, so it is not known whether it is what the other child reads behind the end.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static int appending;

static void first(void)
{
    must(pwrite(appending, bytes, 8, 0) == 8, "pwrite");
}

static void second(void)
{
    int file = open_file("shared", 0);
    (void)!pread(file, bytes, 8, 4096);
    close(file);
}

int main(void)
{
    appending = open_file("shared", O_APPEND);
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
