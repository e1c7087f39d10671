/* exec closes the child's end of the pipe, and the program writes after that.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

int main(int argc, char **argv)
{
    int ends[2];
    (void)argv;
    if (argc > 1) {
        put(open_file("shared", 0), 0, 8);
        return 0;
    }
    must(pipe2(ends, O_CLOEXEC) == 0, "pipe2");
    pid_t child = fork();
    if (child == 0)
        execl("./program", "program", "writes", NULL);
    close(ends[1]);
    must(read(ends[0], bytes, 1) == 0, "read");
    get(open_file("shared", 0), 0, 8);
    wait_for(child);
    return 0;
}
