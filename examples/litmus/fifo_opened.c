/* Who opens a FIFO for writing waits until somebody has opened it for reading.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    must(open("fifo", O_RDONLY) >= 0, "fifo");
}

static void second(void)
{
    must(open("fifo", O_WRONLY) >= 0, "fifo");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(mkfifo("fifo", 0600) == 0, "mkfifo");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
