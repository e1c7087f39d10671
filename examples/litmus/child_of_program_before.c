/* A process makes a child, becomes another program, and waits for the child as that.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    usleep(10000);
    put(open_file("shared", 0), 0, 8);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        must(wait(NULL) > 0, "wait");
        get(open_file("shared", 0), 0, 8);
        return 0;
    }
    start(child);
    execl("./program", "program", "waits", NULL);
    return 1;
}
