/* close_range closes the descriptors that it names.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static int pipe_ends[2];

static void child(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    must(close_range((unsigned)file, (unsigned)file, 0) == 0, "close_range");
    must(write(pipe_ends[1], bytes, 1) == 1, "write");
}

int main(void)
{
    must(pipe(pipe_ends) == 0, "pipe");
    pid_t writer = start(child);
    must(read(pipe_ends[0], bytes, 1) == 1, "read");
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    wait_for(writer);
    return 0;
}
