/* A close gives up the lock: what it publishes, and it itself, come before the next one that gets
 * the lock and opens the file then.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static void first(void)
{
    int file = open_file("shared", 0);
    flock(file, LOCK_EX);
    make_name("locked");
    put(file, 0, 8);
    close(file);
}

static void second(void)
{
    int lock = open_file("shared", 0);
    wait_for_name("locked");
    flock(lock, LOCK_EX);
    int file = open_file("shared", 0);
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
