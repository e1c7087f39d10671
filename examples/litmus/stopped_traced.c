/* A process that is traced stops, and reads when its parent, which has written, continues it.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>
#include <sys/ptrace.h>

static void second(void)
{
    must(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0, "PTRACE_TRACEME");
    must(raise(SIGSTOP) == 0, "raise");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    int status;
    pid_t child = start(second);
    must(waitpid(child, &status, 0) == child && WIFSTOPPED(status), "waitpid");
    put(open_file("shared", 0), 0, 8);
    must(ptrace(PTRACE_CONT, child, 0, 0) == 0, "PTRACE_CONT");
    wait_for(child);
    return 0;
}
