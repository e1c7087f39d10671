/* A child moves the descriptor that it has from its parent: what the parent writes then is behind
 * that, where another process reads.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    must(write(file, bytes, 8) == 8, "write");
    _exit(0);
}

static void reader(void)
{
    get(open_file("shared", 0), 16, 24);
}

int main(void)
{
    file = open_file("shared", 0);
    must(write(file, bytes, 8) == 8, "write");
    wait_for(start(child));
    pid_t other = start(reader);
    must(write(file, bytes, 8) == 8, "write");
    wait_for(other);
    return 0;
}
