/* A process makes the descriptor append that it has from its parent; its brother writes to a copy
 * of it with pwrite: that goes to the end, where it is read.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    must(fcntl(file, F_SETFL, O_APPEND) == 0, "fcntl");
}

static void brother(void)
{
    put(dup(file), 0, 8);
}

static void first(void)
{
    file = open_file("shared", 0);
    wait_for(start(child));
    wait_for(start(brother));
}

int main(void)
{
    pid_t writer = start(first);
    int reading = open_file("shared", 0);
    (void)!pread(reading, bytes, 8, 4096);
    close(reading);
    wait_for(writer);
    return 0;
}
