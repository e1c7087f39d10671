/* A byte behind the write is lost, as nobody has the FIFO open any longer; what is read is that of
 * another process.
 * findings: unordered
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    int fifo = open("fifo", O_RDWR);
    must(write(fifo, bytes, 1) == 1, "write");
    close(fifo);
    make_name("lost");
}

static void second(void)
{
    wait_for_name("lost");
    must(write(open("fifo", O_RDWR), bytes, 1) == 1, "write");
    make_name("byte");
    wait_for_name("read");
}

static void third(void)
{
    wait_for_name("byte");
    must(read(open("fifo", O_RDONLY), bytes, 1) == 1, "read");
    get(open_file("shared", 0), 0, 8);
    make_name("read");
}

int main(void)
{
    must(mkfifo("fifo", 0600) == 0, "mkfifo");
    pid_t children[] = {start(first), start(second), start(third)};
    for (int i = 0; i < 3; i++)
        wait_for(children[i]);
    return 0;
}
