/* A parent that sees that its child is over, and leaves it there to be waited for once more.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    siginfo_t how;
    pid_t over = start(child);
    must(waitid(P_PID, (id_t)over, &how, WEXITED | WNOWAIT) == 0, "waitid");
    get(open_file("shared", 0), 0, 8);
    wait_for(over);
    return 0;
}
