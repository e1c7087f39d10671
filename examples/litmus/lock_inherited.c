/* flock through a descriptor that both have from their parent: it is one lock, which both hold.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int file;

static void write_locked(void)
{
    flock(file, LOCK_EX);
    put(file, 0, 8);
    flock(file, LOCK_UN);
}

static void later(void)
{
    usleep(50000);
    write_locked();
}

int main(void)
{
    file = open_file("shared", 0);
    pid_t children[] = {start(write_locked), start(later)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
