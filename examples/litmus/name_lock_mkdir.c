/* A folder that only one can make is a lock, and the file is opened and closed while it is held.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void write_alone(void)
{
    while (mkdir("lock", 0700))
        usleep(1000);
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
    must(rmdir("lock") == 0, "rmdir");
}

int main(void)
{
    pid_t children[] = {start(write_alone), start(write_alone)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
