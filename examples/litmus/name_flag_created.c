/* The writer makes a name when it has closed the file, and the reader waits for the name: whether
 * names come in the order of what is written depends on the file system.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
    close(open_file("ready", O_CREAT));
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
