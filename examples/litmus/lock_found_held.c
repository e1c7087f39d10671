/* A process asks for a lock without waiting, until it does not get it: so it knows that the other
 * one, which takes the lock and keeps it, has written.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int found[2];

static void first(void)
{
    int lock = open_file("other", 0);
    put(open_file("shared", 0), 0, 8);
    must(flock(lock, LOCK_EX) == 0, "flock");
    must(read(found[0], bytes, 1) == 1, "read");
}

static void second(void)
{
    int lock = open_file("other", 0), file = open_file("shared", 0);
    while (flock(lock, LOCK_EX | LOCK_NB) == 0) {
        must(flock(lock, LOCK_UN) == 0, "flock");
        usleep(1000);
    }
    get(file, 0, 8);
    must(write(found[1], bytes, 1) == 1, "write");
}

int main(void)
{
    must(pipe(found) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
