/* flock: each process locks the file, reads and writes.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static void first(void)
{
    int file = open_file("shared", 0);
    flock(file, LOCK_EX);
    get(file, 0, 8);
    put(file, 0, 8);
    flock(file, LOCK_UN);
}

static void second(void)
{
    first();
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
