/* The second process begins when the first one is over.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    wait_for(start(first));
    wait_for(start(second));
    return 0;
}
