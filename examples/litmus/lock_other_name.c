/* Each process locks the file by another of its two names, and writes: a lock is on the file.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static void write_locked(const char *name)
{
    int lock = open_file(name, 0), file = open_file("shared", 0);
    must(flock(lock, LOCK_EX) == 0, "flock");
    put(file, 0, 8);
    must(flock(lock, LOCK_UN) == 0, "flock");
}

static void first(void)
{
    write_locked("other");
}

static void second(void)
{
    write_locked("second_name");
}

int main(void)
{
    must(link("other", "second_name") == 0, "link");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
