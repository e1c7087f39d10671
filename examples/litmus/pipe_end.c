/* Nothing comes through the pipe, but its end: who finds it knows what was done before all who
 * could write have closed it.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int ends[2];

static void writes(void)
{
    put(open_file("shared", 0), 0, 8);
    close(ends[1]);
}

int main(void)
{
    char nothing;
    must(pipe(ends) == 0, "pipe");
    /* the child has a name of its own for the end that writes, so that its close is seen to be of
     * that one */
    pid_t child = fork();
    must(child >= 0, "fork");
    if (child == 0) {
        must(write(ends[1], &nothing, 1) == 1, "write");
        writes();
        usleep(1000);
        _exit(0);
    }
    close(ends[1]);
    must(read(ends[0], &nothing, 1) == 1, "read");
    must(read(ends[0], &nothing, 1) == 0, "read");
    get(open_file("shared", 0), 0, 8);
    wait_for(child);
    return 0;
}
