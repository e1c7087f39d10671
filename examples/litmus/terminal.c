/* A byte goes through a pseudo terminal.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <pty.h>

static int master, slave;

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    must(write(slave, "x\n", 2) == 2, "write");
    usleep(50000);
}

static void second(void)
{
    int file = open_file("shared", 0);
    must(read(master, bytes, 1) == 1, "read");
    get(file, 0, 8);
}

int main(void)
{
    must(openpty(&master, &slave, NULL, NULL, NULL) == 0, "openpty");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
