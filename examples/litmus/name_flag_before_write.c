/* The name that the reader waits for is made before the write.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    close(open_file("ready", O_CREAT));
    put(file, 0, 8);
    close(file);
}

static void second(void)
{
    while (access("ready", F_OK))
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
