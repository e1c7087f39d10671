/* The name of a code in the mode of fopen has an x and a plus: neither is looked at, so the file
 * need not be new, and is emptied.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    must(fopen("shared", "wbc,e  ,x+") != NULL, "shared");
}

static void second(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
