/* A close gives up the lock, and the next one that gets it has opened the file before.
 * posix: safe  commit: safe  session: racy  mpi-io: none */
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
    int file = open_file("shared", 0);
    wait_for_name("locked");
    flock(file, LOCK_EX);
    get(file, 0, 8);
    close(file);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
