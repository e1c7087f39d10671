/* Two cut the file off at the same byte: whoever comes last, it is the same.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    must(!truncate("shared", 50), "truncate");
}

int main(void)
{
    pid_t writer = start(first);
    must(!truncate("shared", 50), "truncate");
    wait_for(writer);
    return 0;
}
