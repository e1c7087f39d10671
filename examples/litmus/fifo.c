/* A byte through a FIFO, behind the write.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    char byte = 1;
    put(open_file("shared", 0), 0, 8);
    must(write(open("fifo", O_WRONLY), &byte, 1) == 1, "write");
}

static void second(void)
{
    char byte;
    must(read(open("fifo", O_RDONLY), &byte, 1) == 1, "read");
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
