/* Two open the ends of a FIFO, one of them as shells do, so that a file would be made and cut off:
 * it is there.
 * names: none
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    must(write(open("fifo", O_WRONLY | O_CREAT | O_TRUNC, 0600), bytes, 1) == 1, "write");
}

static void second(void)
{
    must(read(open("fifo", O_RDONLY), bytes, 1) == 1, "read");
}

int main(void)
{
    must(mkfifo("fifo", 0600) == 0, "mkfifo");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
