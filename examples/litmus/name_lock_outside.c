/* A file that only one can make is a lock, but the first write comes when it has been removed
 * again.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void lock(void)
{
    int made;
    while ((made = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0)
        usleep(1000);
    close(made);
}

static void first(void)
{
    int file = open_file("shared", 0);
    lock();
    must(unlink("lock") == 0, "unlink");
    put(file, 0, 8);
    make_name("written");
}

static void second(void)
{
    int file = open_file("shared", 0);
    wait_for_name("written");
    lock();
    put(file, 0, 8);
    must(unlink("lock") == 0, "unlink");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
