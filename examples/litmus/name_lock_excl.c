/* A file that only one can make is a lock: who makes it comes behind who has removed it, as far as
 * the file system keeps names in order.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void write_alone(void)
{
    int lock, file = open_file("shared", 0);
    while ((lock = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0)
        usleep(1000);
    close(lock);
    put(file, 0, 8);
    must(unlink("lock") == 0, "unlink");
}

int main(void)
{
    pid_t children[] = {start(write_alone), start(write_alone)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
