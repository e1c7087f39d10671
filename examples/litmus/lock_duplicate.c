/* A lock of flock stays when the descriptor that it was asked for through is closed: its duplicate
 * gives it up.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <sys/file.h>

#include "litmus.h"

static void lock(int file, int how)
{
    must(flock(file, how) == 0, "flock");
}

static void first(void)
{
    int own = open_file("other", 0), copy = dup(own);
    lock(own, LOCK_EX);
    close(own);
    make_name("closed");
    put(open_file("shared", 0), 0, 8);
    lock(copy, LOCK_UN);
    wait_for_name("read");
}

static void second(void)
{
    int file = open_file("other", 0);
    wait_for_name("closed");
    lock(file, LOCK_EX);
    get(open_file("shared", 0), 0, 8);
    make_name("read");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
