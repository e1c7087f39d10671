/* The writer starts writing other bytes back: that commits nothing.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int pipe_ends[2];

static void writer(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    must(sync_file_range(file, 1024, 8, SYNC_FILE_RANGE_WRITE) == 0, "sync_file_range");
    must(write(pipe_ends[1], bytes, 1) == 1, "write");
    _exit(0);
}

int main(void)
{
    must(pipe(pipe_ends) == 0, "pipe");
    pid_t child = start(writer);
    must(read(pipe_ends[0], bytes, 1) == 1, "read");
    get(open_file("shared", 0), 0, 8);
    wait_for(child);
    return 0;
}
