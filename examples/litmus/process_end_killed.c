/* A signal ends the writer: the system closes what it has open.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static void child(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    kill(getpid(), SIGKILL);
}

int main(void)
{
    int status;
    must(waitpid(start(child), &status, 0) > 0, "waitpid");
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    return 0;
}
