/* Parent and child write to a file that has no name any more.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    put(file, 0, 8);
}

int main(void)
{
    file = open_file("shared", 0);
    must(unlink("shared") == 0, "unlink");
    close(open_file("shared", O_CREAT));
    pid_t writer = start(child);
    put(file, 4, 12);
    wait_for(writer);
    close(file);
    return 0;
}
