/* Two processes wait at a pipe, and one of them gets the byte: which one is not seen, so nothing is
 * known to be in order.
 * posix: depends  commit: racy  session: racy  mpi-io: none
 * findings: unordered */
#include "litmus.h"

static int ends[2];

static void hear_and_read(void)
{
    char byte;
    int file = open_file("shared", 0);
    must(read(ends[0], &byte, 1) == 1, "read");
    get(file, 0, 8);
}

int main(void)
{
    char both[2] = {0};
    must(pipe(ends) == 0, "pipe");
    int file = open_file("shared", 0);
    pid_t children[] = {start(hear_and_read), start(hear_and_read)};
    usleep(200000); /* both wait */
    must(write(ends[1], &both[0], 1) == 1, "write");
    put(file, 0, 8);
    must(write(ends[1], &both[1], 1) == 1, "write");
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
