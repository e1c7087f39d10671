/* Each has a file of its own that has no name, in the same folder.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    put(open_file(".", O_TMPFILE), 0, 8);
}

static void second(void)
{
    put(open_file(".", O_TMPFILE), 4, 12);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
