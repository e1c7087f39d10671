/* The end that writes is closed with a range of descriptors, and then the process writes: who finds
 * the end of the pipe is not behind that.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int ends[2];

static void child(void)
{
    must(write(ends[1], bytes, 1) == 1, "write");
    close_range((unsigned)ends[1], (unsigned)ends[1], 0);
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe(ends) == 0, "pipe");
    pid_t writer = start(child);
    close(ends[1]);
    usleep(50000);
    must(read(ends[0], bytes, 1) == 1 && read(ends[0], bytes, 1) == 0, "read");
    get(open_file("shared", 0), 0, 8);
    wait_for(writer);
    return 0;
}
