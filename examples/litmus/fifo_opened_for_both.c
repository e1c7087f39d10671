/* Who opens a FIFO for reading and writing waits for nobody.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    must(open("fifo", O_RDONLY | O_NONBLOCK) >= 0, "fifo");
}

static void second(void)
{
    usleep(50000);
    must(open("fifo", O_RDWR) >= 0, "fifo");
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
