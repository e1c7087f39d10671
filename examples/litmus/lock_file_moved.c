/* The lock file is renamed; one process has it open from before, and the other one opens it under
 * its new name, so the two locks are on one file.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int before;

static void write_locked(int lock)
{
    int file = open_file("shared", 0);
    must(flock(lock, LOCK_EX) == 0, "flock");
    put(file, 0, 8);
    must(flock(lock, LOCK_UN) == 0, "flock");
}

static void first(void)
{
    write_locked(before);
}

static void second(void)
{
    write_locked(open_file("moved", 0));
}

int main(void)
{
    before = open_file("other", 0);
    must(rename("other", "moved") == 0, "rename");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
