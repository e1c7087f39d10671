/* A child writes behind what its parent has written through the same descriptor, and another
 * process reads, in no order, what was before that.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void writer(void)
{
    must(write(file, bytes, 8) == 8, "write");
}

static void reader(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    file = open_file("shared", 0);
    must(write(file, bytes, 8) == 8, "write");
    pid_t children[] = {start(writer), start(reader)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
