/* One makes the file shorter, one makes it longer, in no order: how long it is at the end, and what
 * is in it, depends on who comes last.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    must(!truncate("shared", 50), "truncate");
}

int main(void)
{
    pid_t writer = start(first);
    must(!truncate("shared", 5000), "truncate");
    wait_for(writer);
    return 0;
}
