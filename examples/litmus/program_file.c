/* A file of a program, as its name says, is written by one process and read by another one.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    put(open_file("made.py", O_CREAT), 0, 8);
    make_name("ready");
}

static void second(void)
{
    wait_for_name("ready");
    get(open("made.py", O_RDONLY), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
