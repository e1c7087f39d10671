/* A child locks the description of its parent, and another one gives that up before the parent
 * writes.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int lock;

static void take_lock(void)
{
    must(flock(lock, LOCK_EX) == 0, "flock");
}

static void give_up_lock(void)
{
    must(flock(lock, LOCK_UN) == 0, "flock");
}

static void run(void)
{
    lock = open_file("other", 0);
    wait_for(start(take_lock));
    wait_for(start(give_up_lock));
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
    close(lock);
}

int main(void)
{
    pid_t children[] = {start(run), start(run)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
