/* fflush of all streams commits what they wrote.
 * posix: safe  commit: safe  session: racy  mpi-io: none */
#include "litmus.h"

static int pipe_ends[2];

static void child(void)
{
    FILE *stream = fopen("shared", "w");
    must(fwrite(bytes, 1, 8, stream) == 8, "fwrite");
    must(fflush(NULL) == 0, "fflush");
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
