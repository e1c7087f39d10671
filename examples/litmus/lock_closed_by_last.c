/* The last one that has the open file closes it: that gives up the lock, behind what it publishes.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int file;

static void child(void)
{
    close(file);
}

static void first(void)
{
    file = open_file("shared", 0);
    flock(file, LOCK_EX);
    make_name("locked");
    pid_t other = start(child);
    put(file, 0, 8);
    wait_for(other);
    close(file);
}

static void second(void)
{
    int lock = open_file("shared", 0);
    wait_for_name("locked");
    flock(lock, LOCK_EX);
    file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    close(lock);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
