/* A child does nothing but move the descriptor that it has from its parent, who writes there then:
 * where another process reads.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    must(lseek(file, 8, SEEK_SET) == 8, "lseek");
}

static void reader(void)
{
    get(open_file("shared", 0), 8, 16);
}

int main(void)
{
    file = open_file("shared", 0);
    wait_for(start(child));
    pid_t other = start(reader);
    must(write(file, bytes, 8) == 8, "write");
    wait_for(other);
    return 0;
}
