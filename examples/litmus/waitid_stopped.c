/* waitid returns a child that was only stopped: it writes when it goes on.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static void child(void)
{
    raise(SIGSTOP);
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    siginfo_t how;
    pid_t writer = start(child);
    must(waitid(P_ALL, 0, &how, WEXITED | WSTOPPED) == 0 && how.si_code == CLD_STOPPED, "waitid");
    kill(writer, SIGCONT);
    get(open_file("shared", 0), 0, 8);
    wait_for(writer);
    return 0;
}
