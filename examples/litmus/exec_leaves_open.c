/* exec leaves open what is not marked: the program that comes of it has the file still.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int pipe_ends[2];

static void child(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    dup2(pipe_ends[1], 1);
    execlp("sh", "sh", "-c", "echo; read line; exit 0", (char *)NULL);
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
