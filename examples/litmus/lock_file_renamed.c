/* Another file gets the name of the lock file in between: the two locks are on different files, and
 * order nothing.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int locked(void)
{
    struct flock all = {.l_type = F_WRLCK};
    int lock = open_file("lock", O_CREAT);
    must(fcntl(lock, F_SETLKW, &all) == 0, "fcntl");
    return lock;
}

static void first(void)
{
    int lock = locked();
    put(open_file("shared", 0), 0, 8);
    close(lock);
    make_name("written");
}

static void second(void)
{
    wait_for_name("written");
    must(rename("other", "lock") == 0, "rename");
    int lock = locked();
    get(open_file("shared", 0), 0, 8);
    close(lock);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
