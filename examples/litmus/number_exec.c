/* A child becomes a program by the number of execve, without an environment: the program is
 * recorded nevertheless.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/syscall.h>

static void first(void)
{
    char *arguments[] = {"head", "-c8", "shared", NULL}, *environment[] = {NULL};
    must(dup2(open_file("other", 0), 1) == 1, "dup2");
    syscall(SYS_execve, "/usr/bin/head", arguments, environment);
    exit(1);
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
