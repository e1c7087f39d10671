/* A file was made and removed again: who opens it so that it would be made, makes it, and the other
 * one finds it or not.
 * names: open access
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    open_file("made", O_CREAT);
}

static void second(void)
{
    access("made", F_OK);
}

int main(void)
{
    make_name("made");
    must(unlink("made") == 0, "unlink");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
