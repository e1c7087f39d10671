/* Another descriptor of the file is closed, by which nothing can be written: that makes no write
 * visible.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int ends[2];

static void first(void)
{
    int reading = open("shared", O_RDONLY), file = open_file("shared", 0);
    put(file, 0, 8);
    close(reading);
    must(write(ends[1], bytes, 1) == 1, "write");
}

static void second(void)
{
    must(read(ends[0], bytes, 1) == 1, "read");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe(ends) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
