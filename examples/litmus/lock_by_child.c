/* A child locks the description of its parent and is over, as flock(1) in a shell: the parent holds
 * the lock until it closes the file.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int lock;

static void take_lock(void)
{
    must(flock(lock, LOCK_EX) == 0, "flock");
}

static void run(void)
{
    lock = open_file("other", 0);
    wait_for(start(take_lock));
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
