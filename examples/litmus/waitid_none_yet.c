/* waitid asks whether any child is over: none is, so the one that writes is in no order.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int go[2];

static void child(void)
{
    must(read(go[0], bytes, 1) == 1, "read");
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    siginfo_t how = {0};
    must(pipe(go) == 0, "pipe");
    pid_t writer = start(child);
    must(waitid(P_ALL, 0, &how, WEXITED | WNOHANG) == 0 && how.si_pid == 0, "waitid");
    must(write(go[1], bytes, 1) == 1, "write");
    get(open_file("shared", 0), 0, 8);
    wait_for(writer);
    return 0;
}
