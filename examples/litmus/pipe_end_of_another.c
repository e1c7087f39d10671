/* The writer has closed its end of the pipe before it writes: whose end the reader waits for is
 * another child.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int ends[2];

static void writes(void)
{
    close(ends[1]);
    put(open_file("shared", 0), 0, 8);
}

static void waits(void)
{
    usleep(10000);
}

int main(void)
{
    must(pipe(ends) == 0, "pipe");
    pid_t children[] = {start(writes), start(waits)};
    close(ends[1]);
    must(read(ends[0], bytes, 1) == 0, "read");
    get(open_file("shared", 0), 0, 8);
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
