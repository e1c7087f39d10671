/* The child writes, and exec closes its end of the pipe: the parent that finds the end of the pipe
 * comes behind that.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

int main(int argc, char **argv)
{
    int ends[2];
    (void)argv;
    if (argc > 1) {
        usleep(50000);
        return 0;
    }
    must(pipe2(ends, O_CLOEXEC) == 0, "pipe2");
    pid_t child = fork();
    if (child == 0) {
        put(open_file("shared", 0), 0, 8);
        execl("./program", "program", "goes on", NULL);
    }
    close(ends[1]);
    must(read(ends[0], bytes, 1) == 0, "read");
    get(open_file("shared", 0), 0, 8);
    wait_for(child);
    return 0;
}
