/* A lock file that is left from another run is deleted before both make and lock it: the locks are
 * on one file.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
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
    int lock = locked();
    get(open_file("shared", 0), 0, 8);
    close(lock);
}

int main(void)
{
    close(open_file("lock", O_CREAT));
    must(unlink("lock") == 0, "unlink");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
