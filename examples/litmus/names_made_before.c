/* Two open a file that is there, one of them so that it would be made: nobody makes it.
 * names: none
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    open_file("made", O_CREAT);
}

static void second(void)
{
    open_file("made", 0);
}

int main(void)
{
    make_name("made");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
