/* The lock file is deleted and made again in between: the two locks are on different files, and
 * order nothing.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int locked(int flags)
{
    int lock = open_file("lock", O_CREAT | flags);
    must(flock(lock, LOCK_EX) == 0, "flock");
    return lock;
}

static void first(void)
{
    int lock = locked(0);
    put(open_file("shared", 0), 0, 8);
    must(flock(lock, LOCK_UN) == 0, "flock");
    make_name("written");
}

static void second(void)
{
    wait_for_name("written");
    must(unlink("lock") == 0, "unlink");
    int lock = locked(O_EXCL);
    get(open_file("shared", 0), 0, 8);
    must(flock(lock, LOCK_UN) == 0, "flock");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
