/* waitid for any child returns the one that is over: what that did comes before.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    start(child);
    must(waitid(P_ALL, 0, NULL, WEXITED) == 0, "waitid");
    get(open_file("shared", 0), 0, 8);
    return 0;
}
