/* A process sets a flag in the memory of another one (ptrace) when it has written.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/ptrace.h>

static volatile long flag;

static void second(void)
{
    int file = open_file("shared", 0);
    while (!flag)
        usleep(1000);
    get(file, 0, 8);
}

int main(void)
{
    int status;
    pid_t child = start(second);
    put(open_file("shared", 0), 0, 8);
    must(ptrace(PTRACE_SEIZE, child, 0, 0) == 0, "PTRACE_SEIZE");
    must(ptrace(PTRACE_INTERRUPT, child, 0, 0) == 0, "PTRACE_INTERRUPT");
    must(waitpid(child, &status, 0) == child && WIFSTOPPED(status), "waitpid");
    must(ptrace(PTRACE_POKEDATA, child, (void *)&flag, (void *)1) == 0, "PTRACE_POKEDATA");
    must(ptrace(PTRACE_DETACH, child, 0, 0) == 0, "PTRACE_DETACH");
    wait_for(child);
    return 0;
}
